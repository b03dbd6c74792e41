"""POST /admin/fulfillments, as the official SDK sends it."""

from typing import Any

import pytest

from catalog.models import Reservation
from fulfillment.models import ShippingOption
from orders.models import Fulfillment, Order, OrderLineItem
from shop.models import FulfillmentProvider
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory
from tests.kit.graphql.calls import ask, data
from tests.orders.fulfillments.shop import books, kit_of, lines, ordered

pytestmark = pytest.mark.django_db
PATH = "/admin/fulfillments"
LABEL = {
    "tracking_number": "T1",
    "tracking_url": "https://carrier.example/T1",
    "label_url": "https://carrier.example/1",
}

__all__ = ["admin"]


@pytest.fixture
def order() -> Order:
    """Five of ten mugs, which are at one location."""
    return ordered((sold_variant(10, in_stock=10, sku="MUG"), 5))


def body(order: Order, quantity: int = 2, **more: Any) -> dict[str, Any]:
    """All that the SDK's types require."""
    return {
        "order_id": order.pk,
        "location_id": Reservation.objects.not_deleted()[0].location_id,
        "provider_id": "manual_manual",
        "delivery_address": {},
        "items": [{"title": "Mug", "sku": "MUG", "barcode": "", "quantity": quantity}],
        "labels": [LABEL],
        **more,
    }


def test_units_are_packed_with_labels_and_address(admin: Caller, order: Order) -> None:
    address = {"first_name": "Ann", "address_1": "1 Elm", "city": "Albany", "postal_code": "12207"}
    sent = body(order, delivery_address=address, metadata={"wave": 7})
    response = admin.post(PATH, sent, Idempotency_Key="a-key-of-the-test")
    assert response.status_code == 200, response.content
    made = response.json()["fulfillment"]
    assert admin.post(PATH, sent, Idempotency_Key="a-key-of-the-test").json()["fulfillment"]["id"] == made["id"]
    assert made["provider"] == {"id": "manual_manual", "is_enabled": True}
    assert (made["location_id"], made["metadata"], made["deleted_at"]) == (sent["location_id"], {"wave": 7}, None)
    assert [each["tracking_number"] for each in made["labels"]] == ["T1"]
    assert {name: made["delivery_address"][name] for name in address} == address
    (item,) = made["items"]
    assert (item["line_item_id"], item["sku"], item["quantity"]) == (lines(order)[0].pk, "MUG", 2)
    assert books(order) == ([(2, 0, 0)], [(8, 3)], "partially_fulfilled")
    shipped = admin.post(f"{PATH}/{made['id']}/shipment", {"labels": [{**LABEL, "tracking_number": "T2"}]})
    assert {each["tracking_number"] for each in shipped.json()["fulfillment"]["labels"]} == {"T1", "T2"}


def test_units_of_a_kit_are_named_by_their_line(admin: Caller) -> None:
    kit = kit_of((2, 9), (1, 9), location=StockLocationFactory())
    order = ordered((kit, 3))
    items = [{"title": "", "sku": "", "barcode": "", "quantity": 2, "line_item_id": lines(order)[0].pk}]
    made = admin.post(PATH, body(order, items=items, labels=[])).json()["fulfillment"]
    assert sorted(each["quantity"] for each in made["items"]) == [2, 4]
    assert sorted(books(order).stock) == [(5, 2), (7, 1)]


def test_what_cannot_be_is_named_and_nothing_is_packed(admin: Caller, order: Order) -> None:
    line = lines(order)[0].pk
    item = {"title": "Mug", "sku": "MUG", "barcode": "", "quantity": 1}
    for change, message in (
        ({"provider_id": "none"}, "provider_id"),
        ({"location_id": "sloc_x"}, "location_id"),
        ({"items": []}, "No items"),
        ({"items": [{**item, "sku": "CUP"}]}, "line_item_id"),
        ({"items": [{**item, "sku": ""}]}, "line_item_id"),
        ({"items": [{**item, "line_item_id": "ordli_x"}]}, "ordli_x"),
        ({"items": [item, {**item, "line_item_id": line}]}, line),
        ({"items": [{**item, "quantity": 6}]}, line),
        ({"items": [{**item, "quantity": 0}]}, "quantity"),
        ({"labels": [{**LABEL, "label_url": "javascript:1"}]}, "label_url"),
        ({"shipped_at": "2026-01-01"}, "shipped_at"),
    ):
        status, text = refusal(admin.post(PATH, body(order, **change)))
        assert (status, message in text) == (400, True), (change, text)
    assert refusal(admin.post(PATH, body(order, order_id="order_x")))[0] == 404
    assert (Fulfillment.objects.count(), books(order).stock) == (0, [(10, 5)])


def test_a_sku_of_two_lines_names_neither(admin: Caller) -> None:
    order = ordered(sold_variant(10, in_stock=10, sku="MUG"), sold_variant(10, in_stock=10, sku="CUP"))
    OrderLineItem.objects.update(variant_sku="MUG")
    status, text = refusal(admin.post(PATH, body(order, 1)))
    assert (status, "items.line_item_id" in text) == (400, True)


def test_an_option_without_a_provider_is_shipped_by_the_named_one(admin: Caller, order: Order) -> None:
    ShippingOption.objects.update(provider=None)
    FulfillmentProvider.objects.create(id="courier")
    assert "courier_x" in refusal(admin.post(PATH, body(order, provider_id="courier_x")))[1]
    assert admin.post(PATH, body(order, provider_id="courier")).json()["fulfillment"]["provider_id"] == "courier"


def test_by_graphql(admin: Caller, order: Order) -> None:
    mutation = """mutation ($id: ID!) {
        createFulfillment(input: { orderId: $id, items: [{ sku: "MUG", quantity: 5 }] }) {
            fulfillment { provider { id } items { quantity } } } }"""
    assert data(ask(admin, mutation, {"id": order.pk})) == {
        "createFulfillment": {"fulfillment": {"provider": {"id": "manual_manual"}, "items": [{"quantity": 5}]}}
    }
