"""GET /store/product-categories under random query strings: an answer or a refusal, and pages that add up."""

from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.http import HttpResponse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from catalog.models import ProductCategory
from tests.contract.callers import Caller, storefront
from tests.contract.shelves import PATH, stock
from tests.factories.apikeys import publishable_key

pytestmark = pytest.mark.django_db

KEYS = [
    "fields", "order", "limit", "offset", "with_deleted", "include_ancestors_tree", "include_descendants_tree", "q",
    "id", "name", "handle", "description", "parent_category_id", "created_at", "updated_at", "deleted_at", "$or",
    "$and", "locale", "nope", "",
]  # fmt: skip
BRACKETS = [
    "", "", "", "", "[]", "[0]", "[1]", "[$gt]", "[$lte]", "[$ne]", "[$in][]", "[0][name]", "[1][q]",
    "[0][created_at][$lt]", "[0][$or][0][id]", "[x]", "[", "]", "[][a]", ".$gt",
]  # fmt: skip
VALUES = [
    "", "1", "0", "-1", "3", "true", "false", "name", "-name", "parent_category.rank", "*category_children",
    "id,name", "+q", "2026-03-03", "2026-03-03T12:00:00.250Z", "9999-12-31T23:59:59-23:59", "juice", "%", "_",
    "null", "Food", "a" * 300, "\\", "'", "1e9", "é", "\u2028", "999999999999999999999",
    "*parent_category.category_children", "-parent_category", "{id}",
]  # fmt: skip
pairs = st.tuples(st.sampled_from(KEYS), st.sampled_from(BRACKETS), st.sampled_from(VALUES) | st.text(max_size=12))
likely = st.lists(pairs, max_size=6).map(lambda chosen: [(key + brackets, value) for key, brackets, value in chosen])
raw = st.text(st.characters(max_codepoint=0xFF), max_size=60)
slow = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


@pytest.fixture
def shelf() -> dict[str, ProductCategory]:
    return stock()


@pytest.fixture
def store(shelf: dict[str, ProductCategory]) -> Caller:
    return storefront(publishable_key())


def encoded(query: list[tuple[str, str]]) -> str:
    """The pairs as a query string; half of a surrogate pair goes as the bytes that it has no right to."""
    return urlencode(query, errors="surrogatepass")


def is_answer(response: HttpResponse) -> bool:
    """Whether it is a page that fits its envelope, or a refusal that names what it refuses."""
    body = response.json()
    if response.status_code == 400:
        return list(body) == ["type", "message"] and body["type"] == "invalid_data" and bool(body["message"])
    page = body["product_categories"]
    counts = body["count"] == body["estimate_count"] >= len(page) <= body["limit"]
    return response.status_code == 200 and counts and all("id" in category for category in page)


@slow
@given(query=likely)
@example(query=[("$or[0][q]", "%"), ("limit", "1"), ("offset", "9223372036854775807")])
@example(query=[("order", "parent_category.metadata"), ("with_deleted", "true"), ("include_descendants_tree", "true")])
def test_any_parameters_are_answered_or_refused(query: list[tuple[str, str]], store: Caller) -> None:
    response = store.get(PATH, encoded(query))
    assert is_answer(response), response.content


@slow
@given(query=raw)
def test_any_query_string_is_answered_or_refused(query: str, store: Caller) -> None:
    response = store.get(PATH, query)
    assert is_answer(response), response.content


@slow
@given(query=raw | likely.map(encoded), key=st.text(min_size=1, max_size=20))
def test_any_id_is_answered_refused_or_not_found(
    query: str, key: str, store: Caller, shelf: dict[str, ProductCategory]
) -> None:
    for each in (quote(key, safe="", errors="surrogatepass"), shelf["Fruit"].pk):
        response = store.get(f"{PATH}/{each}", query)
        assert response.status_code in (200, 400, 404), response.content
        assert response["Content-Type"] == "application/json"


fitting = st.fixed_dictionaries(
    {},
    optional={
        "q": st.sampled_from(["", "juice", "e", "fresh e"]),
        "order": st.sampled_from(
            ["name", "-rank", "parent_category.rank", "-parent_category.name", "-created_at", "metadata"]
        ),
        "with_deleted": st.sampled_from(["true", "false"]),
        "include_descendants_tree": st.just("true"),
        "created_at[$gt]": st.sampled_from(["2026-03-03", "1970-01-01", "2026-03-07T12:00:00.250Z"]),
        "$or[0][name]": st.sampled_from(["Food", "nobody"]),
        "$or[1][parent_category_id]": st.just("null"),
        "fields": st.sampled_from(["id", "name,*category_children", "-metadata", "parent_category.name"]),
    },
)


@slow
@given(query=fitting, limit=st.integers(1, 4))
def test_pages_add_up_to_the_count_and_do_not_overlap(query: dict[str, str], limit: int, store: Caller) -> None:
    whole = _page(store, query, limit=1000, offset=0)
    assert whole["count"] == len(whole["product_categories"])
    pages = [_page(store, query, limit=limit, offset=offset) for offset in range(0, whole["count"] + limit, limit)]
    assert {page["count"] for page in pages} <= {whole["count"]}
    together = [category for page in pages for category in page["product_categories"]]
    assert together == whole["product_categories"]
    ids = [category["id"] for category in together]
    assert len(ids) == len(set(ids))


def _page(store: Caller, query: dict[str, str], *, limit: int, offset: int) -> Any:
    response = store.get(PATH, urlencode({**query, "limit": limit, "offset": offset}))
    assert response.status_code == 200, response.content
    return response.json()
