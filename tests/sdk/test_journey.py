"""The unmodified official SDK drives one order against the real web server."""

from typing import Any

import pytest

from catalog.models import InventoryLevel
from orders.models import Order
from tests.concurrency.running_server import RunningServer
from tests.factories.carts import selling_region, sold_variant
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.payments import PROVIDER
from tests.factories.products import ProductFactory
from tests.sdk import node

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), node.needs_sdk]


@pytest.fixture
def journey(server: RunningServer) -> dict[str, Any]:
    """What the SDK returned: of a shop with ten each of tea at 10 and mugs at 20. Shipping is 5, for returns 2."""
    selling_region().payment_providers.add(PROVIDER)
    warehouse = StockLocationFactory()
    for title, amount in (("Tea", 10), ("Zebra mug", 20)):
        sold = sold_variant(amount, product=ProductFactory(title=title))
        sold.manage_inventory = True
        sold.save()
        stock(sold, 10, location=warehouse)
    served = zone(location=warehouse)
    option(5, of=served)
    option(2, of=served, rules=[("is_return", "eq", "true")])
    return node.run("journey.mjs", server)


def test_one_order(journey: dict[str, Any]) -> None:
    placed, packed, refunded, returned, settled, finished = journey.values()
    order = Order.objects.get()
    assert placed["type"] == "order"
    assert (placed["order"]["id"], placed["order"]["total"], placed["price"]) == (order.pk, 55, 10)
    [collection] = placed["seen"]["payment_collections"]
    assert [payment["provider_id"] for payment in collection["payments"]] == [PROVIDER]
    [found] = packed["found"]["orders"]
    assert (found["id"], found["email"], found["total"]) == (order.pk, "ann@example.com", 55)
    assert packed["payment"]["captured_amount"] == 55
    [fulfillment] = packed["delivered"]["fulfillments"]
    assert [label["tracking_number"] for label in fulfillment["labels"]] == ["T1"]
    assert [packed[step]["fulfillment_status"] for step in ("packed", "delivered")] == ["fulfilled", "delivered"]
    assert sorted(line["delivered_quantity"] for line in packed["lines"]["order_items"]) == [1, 3]
    assert [each["amount"] for each in refunded["payment"]["refunds"]] == [4]
    [item] = returned["return"]["items"]
    assert (item["quantity"], item["received_quantity"], item["damaged_quantity"]) == (3, 2, 1)
    assert [returned[step]["status"] for step in ("requested", "return")] == ["requested", "received"]
    assert [each["id"] for each in returned["listed"]["returns"]] == [returned["return"]["id"]]
    (change,) = returned["changes"]
    assert (change["return_id"], change["status"]) == (returned["return"]["id"], "confirmed")
    assert [each["details"]["quantity"] for each in change["actions"]] == [3]
    assert list(InventoryLevel.objects.order_by("pk").values_list("stocked_quantity", flat=True)) == [9, 9]
    assert [(part["amount"], part["status"]) for part in settled["refund"]["parts"]] == [(27, "succeeded")]
    assert finished["order"]["status"] == finished["seen"]["status"] == order.status == "archived"
    assert (order.total, order.paid_total, order.refunded_total) == (28, 55, 31)
    assert finished["refusal"] == {"status": 400, "message": "The order is archived and cannot become canceled"}
