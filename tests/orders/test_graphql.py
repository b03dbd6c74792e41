"""Orders in GraphQL are those of REST."""

from typing import Any

import pytest

from customers.models import Customer
from kit.graphql.types.names import camel
from kit.query.selection import Selection
from orders.api.resources import ORDERS
from tests.contract.callers import Caller
from tests.factories.orders import order, return_reason
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized

pytestmark = pytest.mark.django_db


def members(selection: Selection) -> str:
    below = (f"{camel(name)} {{ {members(each)} }}" for name, each in selection.relations)
    return " ".join([*map(camel, selection.scalars), *below])


def spelled(value: Any) -> Any:
    """REST's answer with GraphQL's names."""
    if isinstance(value, dict):
        return {camel(name): spelled(each) for name, each in value.items()}
    return [spelled(each) for each in value] if isinstance(value, list) else value


def test_all_defaults_of_one_order_are_rests(by_ann: Caller, ann: Customer) -> None:
    placed = order(ann, captured=True)
    rest = by_ann.get(f"/store/orders/{placed.pk}").json()
    chosen = members(ORDERS.field_set.parse(None))
    assert data(ask(by_ann, f'{{ order(id: "{placed.pk}") {{ {chosen} }} }}')) == spelled(rest)


def test_all_defaults_of_the_list_are_rests(by_ann: Caller, ann: Customer) -> None:
    order(ann)
    order(ann, captured=True)
    rest = by_ann.get("/store/orders", "order=-created_at").json()
    chosen = members(ORDERS.list_field_set.parse(None))
    document = f'{{ orders(order: "-createdAt") {{ orders {{ {chosen} }} count estimateCount offset limit }} }}'
    assert data(ask(by_ann, document))["orders"] == spelled(rest)


def test_the_list_needs_a_customer_and_a_wrong_id_finds_nothing(guest: Caller, ann: Customer) -> None:
    placed = order(ann)
    assert is_unauthorized(ask(guest, "{ orders { count } }"))
    response = ask(guest, f'{{ order(id: "{placed.pk}") {{ displayId }} }}')
    assert failures(response) == [("order", f"Order with id: {placed.pk} was not found", {"type": "not_found"})]


def test_the_customers_orders_and_the_locales(by_ann: Caller, ann: Customer) -> None:
    placed = order(ann)
    return_reason()
    document = "{ me { orders { displayId total } } locales { locales { code name } } returnReasons { count } }"
    assert data(ask(by_ann, document)) == {
        "me": {"orders": [{"displayId": placed.display_id, "total": float(placed.total)}]},
        "locales": {"locales": []},
        "returnReasons": {"count": 1},
    }
