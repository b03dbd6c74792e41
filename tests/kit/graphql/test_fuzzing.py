"""Whatever document comes, made to fit the schema or not at all: an answer or a refusal, and nothing internal."""

from typing import Any

import pytest
from graphql import print_schema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import from_schema, nodes

from commerce.schema import SCHEMA
from tests.catalog import secret_shop
from tests.contract.callers import Caller
from tests.contract.shelves import stock
from tests.kit.graphql.calls import PATH, ask

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]
slow = settings(suppress_health_check=list(HealthCheck), max_examples=150)
slowest = settings(slow, max_examples=25)

moments = st.sampled_from(["2026-03-03", "2026-03-03T12:00:00.250Z", "9999-12-31T23:59:59-23:59", "soon", ""])
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5), st.lists, max_leaves=3
)
SCALARS = {
    "DateTime": moments.map(nodes.String),
    "JSON": st.text(max_size=5).map(nodes.String),
    "Amount": st.floats(-(10**12), 10**12).map(nodes.Float),
}
# Deferred, since the strategy takes seconds to make, and every test process collects this module.
documents = st.deferred(lambda: from_schema(print_schema(SCHEMA.types), custom_scalars=SCALARS, allow_x00=False))
pieces = st.sampled_from(
    "{ } ( ) [ ] : ! $ ... on fragment query mutation @include(if: true) productCategories products count id name "
    'apiKeys createApiKey __schema __typename $a: Int! null 1 -5 1e999 "a" """b""" # \\u0000 & | = , \ufeff é'.split(
        " "
    )
)


@pytest.fixture(params=["store", "admin"])
def caller(request: pytest.FixtureRequest) -> Caller:
    stock()
    secret_shop.build()
    found: Caller = request.getfixturevalue(request.param)
    return found


def check(response: Any) -> None:
    if response.status_code == 401:  # every field needs a credential that the caller lacks
        assert response.content == b"Unauthorized"
        return
    assert response.status_code in (200, 400), response.content
    for error in response.json().get("errors", []):
        assert error["extensions"]["type"] in (
            "invalid_data", "not_found", "not_allowed", "unauthorized", "duplicate_error"
        ), error  # fmt: skip


@slowest
@given(text=documents)
def test_documents_that_fit_the_schema(text: str, caller: Caller) -> None:
    check(ask(caller, text))


@slow
@given(text=st.lists(pieces, max_size=25).map(" ".join) | st.text(max_size=40))
def test_documents_that_fit_nothing(text: str, caller: Caller) -> None:
    check(ask(caller, text.encode(errors="replace").decode()))


@slow
@given(
    variables=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(("limit", "order", "q", "id", "created", "or", "parent", "more"), anything | moments),
    )
)
def test_variables_that_fit_nothing(variables: dict[str, Any], caller: Caller) -> None:
    text = """query ($limit: Int, $order: String, $q: String, $id: [ID!], $created: DateFilter,
      $or: [ProductCategoryFilter!], $parent: [ID!]) {
      productCategories(limit: $limit, order: $order, q: $q, id: $id, createdAt: $created, or: $or,
        parentCategoryId: $parent) { count productCategories { name } } }"""
    response = caller.post(PATH, {"query": text, "variables": variables})
    check(response)
