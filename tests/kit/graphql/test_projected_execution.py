"""What is handed over whole is what graphql-core itself would have made of it, field by field."""

from typing import Any

import orjson
import pytest
from graphql import ExecutionContext, parse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.api.resources import PRODUCT_CATEGORIES
from catalog.models import ProductCategory
from kit.domain.actor import ANONYMOUS
from kit.graphql.context import RequestContext
from kit.graphql.errors import formatted
from kit.graphql.fields import arguments
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.schemas import Schema, join
from kit.query.selection import Selection
from tests.contract.callers import Caller, storefront
from tests.contract.shelves import stock
from tests.factories.apikeys import publishable_key
from tests.kit.graphql.calls import ask
from tests.kit.graphql.generated import documents

pytestmark = [pytest.mark.once, pytest.mark.django_db]
slow = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=150)
_ID = Selection(("id",))


class Shelf:
    """Every category as a plain dict, with the dicts of its parent and children in it: the answer to any document."""

    def __init__(self, store: Caller) -> None:
        listed = store.get(
            "/store/product-categories", "limit=1000&fields=-parent_category,-category_children&order=rank"
        )
        self.categories = {row["id"]: row for row in listed.json()["product_categories"]}
        for row in self.categories.values():
            row["parent_category"] = self.categories.get(row["parent_category_id"])
            row["category_children"] = [
                each for each in self.categories.values() if each["parent_category_id"] == row["id"]
            ]


class PlainList(ListField):
    """The list as plain dicts, for graphql-core to walk."""

    def answer(self, context: RequestContext, plan: Any, args: Any) -> Any:
        query = self.resource.list_query(arguments.list_parameters(self.resource, args), _ID)
        listed = self.resource.page(query, ANONYMOUS)
        rows = [context.request.categories[row["id"]] for row in listed.answers]
        return {
            "product_categories": rows,
            "count": listed.count,
            "estimate_count": listed.count,
            "offset": query.page.offset,
            "limit": query.page.limit,
        }


class PlainSingle(SingleField):
    """One category as a plain dict."""

    def answer(self, context: RequestContext, plan: Any, args: Any) -> Any:
        self.resource.one(args["id"], self.resource.single_query({}, _ID), ANONYMOUS)
        return context.request.categories[args["id"]]


PLAIN: Schema = join(
    queries={
        "product_categories": PlainList(PRODUCT_CATEGORIES, ""),
        "product_category": PlainSingle(PRODUCT_CATEGORIES, ""),
    },
    mutations={},
)


class Plans(dict[str, None]):
    """No plan for anybody."""

    def __missing__(self, key: str) -> None:
        return None


def by_graphql_core(text: str, variables: dict[str, Any], shelf: Shelf) -> Any:
    """The whole body, by an ExecutionContext as graphql-core has it."""
    context: Any = RequestContext(shelf, ANONYMOUS, None, lambda: ANONYMOUS, plans=Plans())
    context = ExecutionContext.build(PLAIN.types, parse(text), None, context, variables)
    assert isinstance(context, ExecutionContext), context
    data = context.execute_operation(context.operation, None)
    result = context.build_response(data, context.collected_errors.errors)
    errors = {"errors": [formatted(error)[1] for error in result.errors]} if result.errors else {}
    return orjson.loads(orjson.dumps({**errors, "data": result.data}))


@pytest.fixture
def shelf() -> Shelf:
    made = stock()
    ProductCategory.objects.filter(pk=made["Apples"].pk).update(metadata={"a": [1, None, {"b": "c"}], "é": 0.5})
    return Shelf(storefront(publishable_key()))


@pytest.fixture
def store(shelf: Shelf) -> Caller:
    return storefront(publishable_key())


@slow
@given(chosen=st.data())
def test_the_answers_are_the_same(chosen: st.DataObject, shelf: Shelf, store: Caller) -> None:
    text, variables = chosen.draw(documents(sorted(shelf.categories)[:3]))
    response = ask(store, text, variables)
    assert response.status_code == 200, response.content
    expected = by_graphql_core(text, variables, shelf)
    assert response.json() == expected
    assert orjson.dumps(response.json()) == orjson.dumps(expected)  # in the order of the document, too
