"""Packing lists and delivery notes."""

from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.utils import translation
from django.utils.html import strip_tags

from catalog.models import ProductVariant
from orders.admin.printing.sheets import SheetRow
from orders.fulfillments import cancellation
from orders.models import Order
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import superuser, visitor
from tests.orders.fulfillments.shop import STAFF, ordered, pack

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def address(order: Order, *parts: str) -> str:
    return "/".join(["/admin/orders/order", quote(order.pk), *parts, ""])


def sheet(order: Order, *parts: str) -> Any:
    response = visitor("orders.view_order").get(address(order, *parts))
    assert response.status_code == 200
    (printed,) = response.context["sheets"]
    return printed


def kit_and_mug() -> tuple[tuple[ProductVariant, int], tuple[ProductVariant, int]]:
    """Two tea sets of a pot and four cups each, kept in Ulm, and a mug, of which no stock is kept."""
    ulm = StockLocationFactory(name="Ulm")
    tea_set = sold_variant(60, product=ProductFactory(title="Tea set"), title="White", sku="SET-W")
    tea_set.manage_inventory = True
    tea_set.save()
    pot, cups = stock(tea_set, 9, location=ulm), stock(tea_set, 40, location=ulm, required_quantity=4)
    for level, sku, title in ((pot, "POT", "Pot"), (cups, "CUP", "Cup")):
        item = level.inventory_item
        item.sku, item.title = sku, title
        item.save()
    mug = sold_variant(10, product=ProductFactory(title="Mug"), title="Blue", sku="MUG-B", barcode="4006381333931")
    return (tea_set, 2), (mug, 1)


def test_the_list_of_all_that_is_left_names_pieces_and_where_they_are() -> None:
    order = ordered(*kit_and_mug())
    printed = sheet(order, "packing-list")
    assert (printed.title, printed.pieces, printed.location) == ("Packing list", 11, "")
    assert printed.rows == [
        SheetRow(2, "Pot", "White", "POT", "", "Ulm"),
        SheetRow(8, "Cup", "White", "CUP", "", "Ulm"),
        SheetRow(1, "Mug", "Blue", "MUG-B", "4006381333931"),
    ]
    pack(order, 1, 1)
    assert [(row.quantity, row.title) for row in sheet(order, "packing-list").rows] == [(1, "Pot"), (4, "Cup")]
    pack(order, 1, 0)
    assert sheet(order, "packing-list").rows == []


def test_a_packing_list_has_pieces_and_a_delivery_note_what_was_sold_without_prices() -> None:
    order = ordered(*kit_and_mug())
    fulfillment = pack(order, 2, 1)
    packing, note = (sheet(order, name, fulfillment.pk) for name in ("packing-list", "delivery-note"))
    assert [(row.quantity, row.title, row.sku) for row in packing.rows] == [
        (2, "Pot", "POT"),
        (8, "Cup", "CUP"),
        (1, "Mug (Blue)", "MUG-B"),
    ]
    assert note.rows == [
        SheetRow(2, "Tea set", "White", "SET-W", ""),
        SheetRow(1, "Mug", "Blue", "MUG-B", "4006381333931"),
    ]
    assert note.location == packing.location == "Ulm"
    with translation.override("de"):
        text = strip_tags(superuser().get(address(order, "delivery-note", fulfillment.pk)).content.decode())
    moment = f"{order.created_at:%-d %b %Y, %H:%M}"
    place = ("Ann Lee", "1 Elm", "United States")
    for said in ("Store", "Delivery note", f"Order {order}, placed {moment}", "From Ulm", *place):
        assert said in text, said
    assert "usd" not in text


def test_they_need_the_permission_and_a_fulfillment_of_the_order_that_is_not_canceled() -> None:
    order, other = ordered(), ordered()
    fulfillment = pack(order, 1)
    own = address(order, "packing-list", fulfillment.pk)
    assert visitor("orders.view_return").get(own).status_code == 403
    client = visitor("orders.view_order")
    assert client.get(own).status_code == 200
    for wrong in (address(other, "packing-list", fulfillment.pk), address(order, "delivery-note", "ful_none")):
        assert client.get(wrong).status_code == 404
    assert client.get("/admin/orders/order/order_5Fnone/packing-list/").status_code == 404
    assert client.get(address(order, "delivery-note", "a%00b")).status_code == 404
    cancellation.cancel(actor=STAFF, fulfillment_id=fulfillment.pk)
    assert client.get(own).status_code == 404
