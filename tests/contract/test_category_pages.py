"""GET /store/product-categories: order and pages."""

import pytest
from django.http import HttpResponse

from catalog.models import ProductCategory
from tests.conftest import MakeOnce
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.shelves import NAMES, PATH, names, stock

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def shelf(make_once: MakeOnce) -> dict[str, ProductCategory]:
    return make_once(stock)


BY_PARENT = ["Fruit", "Vegetables", "Apples", "Pears", "Juice_A", "100% Juice", "Food", "Drinks"]
BY_RANK_OF_PARENT = ["Fruit", "Apples", "Pears", "Vegetables", "Juice_A", "100% Juice", "Food", "Drinks"]
ORDERS = [
    ("", NAMES),
    ("order=id", NAMES),
    ("order=-id", NAMES[::-1]),
    ("order=created_at", NAMES),
    ("order=-created_at", NAMES[::-1]),
    ("order=updated_at", NAMES),
    ("order=handle", ["100% Juice", "Apples", "Drinks", "Food", "Fruit", "Juice_A", "Pears", "Vegetables"]),
    ("order=-handle", ["Vegetables", "Pears", "Juice_A", "Fruit", "Food", "Drinks", "Apples", "100% Juice"]),
    ("order=rank", ["Food", "Fruit", "Apples", "Juice_A", "Pears", "Vegetables", "Drinks", "100% Juice"]),
    ("order=-rank", ["100% Juice", "Drinks", "Vegetables", "Pears", "Juice_A", "Apples", "Fruit", "Food"]),
    ("order=deleted_at", NAMES),
    ("order=parent_category_id", BY_PARENT),
    ("order=parent_category.rank", BY_RANK_OF_PARENT),
    ("order=-parent_category.rank", BY_RANK_OF_PARENT[::-1]),
    ("order=parent_category.created_at", BY_PARENT),
]  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), ORDERS)
def test_one_field_orders_and_the_id_settles_ties(query: str, expected: list[str], store: Caller) -> None:
    assert names(store.get(PATH, f"fields=name&{query}")) == expected
    pages = [names(store.get(PATH, f"fields=name&{query}&limit=3&offset={offset}")) for offset in (0, 3, 6)]
    assert [name for page in pages for name in page] == expected


@pytest.mark.parametrize(
    "field",
    ["nope", "", "-", "name,-rank", "Name", "+name", "is_active", "path", "is_visible", "parent_category",
     "category_children.name", "parent_category.path", "parent_category.is_active",
     "parent_category.parent_category.name", "parent_category__rank", "?", "__proto__"],
)  # fmt: skip
@pytest.mark.parametrize("sign", ["", "-"])
def test_other_fields_do_not_order(field: str, sign: str, store: Caller) -> None:
    named = (sign + field).replace("+", " ").removeprefix("-")
    assert refusal(store.get(PATH, f"order={sign}{field}")) == (400, f"Order field {named} is not valid")


@pytest.mark.parametrize("query", ["order[]=name", "order=name&order=rank", "order[name]=asc"])
def test_the_order_is_one_text(query: str, store: Caller) -> None:
    assert refusal(store.get(PATH, query))[1].startswith("Invalid request: Expected type: 'string' for field 'order'")


@pytest.mark.parametrize(
    ("query", "expected", "limit", "offset"),
    [
        ("", NAMES, 50, 0),
        ("limit=3", NAMES[:3], 3, 0),
        ("limit=3&offset=6", NAMES[6:], 3, 6),
        ("offset=2", NAMES[2:], 50, 2),
        ("limit=0", [], 0, 0),
        ("limit=0&offset=3", [], 0, 3),
        ("limit=1000", NAMES, 1000, 0),
        ("offset=8", [], 50, 8),
        ("offset=9223372036854775807", [], 50, 2**63 - 1),
        ("limit=007", NAMES[:7], 7, 0),
        ("limit=3&q=juice", NAMES[6:], 3, 0),
    ],
)
def test_a_page_and_the_count_of_all(query: str, expected: list[str], limit: int, offset: int, store: Caller) -> None:
    response = store.get(PATH, f"fields=name&{query}")
    assert names(response) == expected
    count = 2 if "juice" in query else 8
    whole = response.json()
    assert list(whole) == ["product_categories", "count", "estimate_count", "offset", "limit"]
    assert (whole["count"], whole["estimate_count"], whole["offset"], whole["limit"]) == (count, count, offset, limit)


REFUSED = [
    ("-1", "Value for field '{}' too small, expected at least: '0'"),
    ("-1000000000000", "Value for field '{}' too small, expected at least: '0'"),
    ("99999999999999999999", "Value for field '{}' too big, expected at most: '{most}'"),
    ("abc", "Expected type: 'number' for field '{}', got: 'abc'"),
    ("", "Expected type: 'number' for field '{}', got: ''"),
    ("5.9", "Expected type: 'number' for field '{}', got: '5.9'"),
    ("1e2", "Expected type: 'number' for field '{}', got: '1e2'"),
    ("%2B5", "Expected type: 'number' for field '{}', got: '+5'"),
    ("+5", "Expected type: 'number' for field '{}', got: ' 5'"),
    ("null", "Expected type: 'number' for field '{}', got: 'null'"),
    ("NaN", "Expected type: 'number' for field '{}', got: 'NaN'"),
    ("%D9%A5", "Expected type: 'number' for field '{}', got: '\u0665'"),
]


@pytest.mark.parametrize(("value", "message"), REFUSED)
@pytest.mark.parametrize(("field", "most"), [("limit", 1000), ("offset", 2**63 - 1)])
def test_what_is_no_number_of_rows_is_refused(field: str, most: int, value: str, message: str, store: Caller) -> None:
    assert refusal(store.get(PATH, f"{field}={value}")) == invalid(message.format(field, most=most))


def test_a_limit_above_the_maximum_is_refused_naming_it(store: Caller) -> None:
    assert refusal(store.get(PATH, "limit=1001")) == invalid(
        "Value for field 'limit' too big, expected at most: '1000'"
    )


@pytest.mark.parametrize("query", ["limit=1&limit=2", "limit[]=1&limit[]=2", "limit[a]=1", "offset[0]=5"])
def test_a_number_is_given_once(query: str, store: Caller) -> None:
    response: HttpResponse = store.get(PATH, query)
    assert refusal(response)[1].startswith("Invalid request: Expected type: 'number'")
