"""Edits over HTTP: totals, what is owed, statuses, stock and collections, as a table computed elsewhere has them."""

import pytest

from catalog.models import Price
from orders.fulfillments import delivery
from orders.models import Order, OrderChange, OrderLineItem
from payments.models import Payment
from payments.movements import capturing
from shop.models import Currency
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.carts import PromotionFactory, selling_region
from tests.factories.fulfillment import option
from tests.orders.changes.shop import Edit, goods, line, order_a, outcome, reserved, sent
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.returns.shop import paid, receive, request

pytestmark = pytest.mark.django_db
__all__ = ["admin"]


def test_a_line_is_added_to_a_captured_order(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    edit = Edit(admin, order)
    shown = edit.add(scarf)
    assert (shown["total"], shown["summary"]["pending_difference"], shown["version"]) == (78, 18, 1)
    added = shown["items"][-1]
    assert (added["title"], added["unit_price"], added["quantity"], added["total"]) == ("scarf", 15, 1, 18)
    assert [(each["action"], each["details"]["quantity_diff"]) for each in added["actions"]] == [("ITEM_ADD", 1)]
    assert shown["order_change"]["change_type"] == "edit"
    assert not OrderLineItem.objects.filter(order=order, title="scarf").exists()
    assert edit.confirm()["order_change"] is None
    assert line(order, "scarf").pk == added["id"]
    first, second = ("60.00", "completed"), ("18.00", "not_paid")
    assert outcome(order) == ("78.00", "18.00", "partially_captured", "not_fulfilled", 2, [first, second])
    assert reserved(order) == {"mug": 2, "tee": 1, "scarf": 1}
    assert order.original_order_total == 60


def test_lowered_units_are_owed_to_the_customer(admin: Caller) -> None:
    order = order_a()
    edit = Edit(admin, order)
    edit.set("mug", 1)
    edit.confirm()
    assert outcome(order) == ("48.00", "-12.00", "captured", "not_fulfilled", 2, [("60.00", "completed")])
    assert reserved(order) == {"mug": 1, "tee": 1}


def test_an_authorization_stays_and_less_of_it_is_captured(admin: Caller) -> None:
    order = order_a(captured=False)
    edit = Edit(admin, order)
    edit.set("mug", 1)
    edit.confirm()
    assert outcome(order)[:3] == ("48.00", "48.00", "authorized")
    capturing.capture(actor=STAFF, payment_id=Payment.objects.get(collection__order_id=order.pk).pk)
    assert outcome(order)[:3] == ("48.00", "0.00", "captured")


def test_a_removed_line_pays_for_an_added_one(admin: Caller) -> None:
    order, lamp = order_a(), goods("lamp", 25)
    edit = Edit(admin, order)
    edit.set("tee", 0)
    assert [item["quantity"] for item in edit.add(lamp)["items"]] == [2, 0, 1]
    edit.confirm()
    assert outcome(order) == ("60.00", "0.00", "captured", "not_fulfilled", 2, [("60.00", "completed")])
    assert reserved(order) == {"mug": 2, "tee": 0, "lamp": 1}


def test_the_only_line_is_swapped_in_either_order(admin: Caller) -> None:
    for adds_first in (True, False):
        order, larger = paid((goods("small", 20), 1)), goods("large", 20)
        edit = Edit(admin, order)
        if adds_first:
            edit.add(larger)
        edit.set("small", 0)
        if not adds_first:
            response = admin.post(f"/admin/{edit.path}/confirm", {})
            assert refusal(response) == (400, "The order would have no items left: cancel it instead")
            edit.add(larger)
        edit.confirm()
        assert reserved(order) == {"large": 1, "small": 0}
        assert not order.items.not_deleted().filter(title="small").exists()


def test_packed_units_stay(admin: Caller) -> None:
    order = order_a()
    edit = Edit(admin, order)
    pack(order, 1)
    path = f"/admin/{edit.path}/items/item/{line(order, 'mug').pk}"
    status, message = refusal(admin.post(path, {"quantity": 0}))
    assert (status, "1 unit is fulfilled" in message) == (400, True)
    edit.set("mug", 1)
    edit.confirm()
    assert outcome(order)[:4] == ("48.00", "-12.00", "captured", "partially_fulfilled")
    assert reserved(order) == {"mug": 0, "tee": 1}


def test_a_line_is_added_to_a_delivered_order(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    for parcel in (pack(order, 2, 0), pack(order, 0, 1)):
        delivery.deliver(actor=STAFF, fulfillment_id=parcel.pk)
    edit = Edit(admin, order)
    edit.add(scarf)
    edit.confirm()
    assert outcome(order)[:4] == ("78.00", "18.00", "partially_captured", "partially_delivered")


def test_units_that_came_back_count_once(admin: Caller) -> None:
    """3 mugs less 10 %: 38.40. One comes back, and a scarf is added."""
    region, code = selling_region(tax_rate=20), PromotionFactory().code
    order = paid((goods("mug", 10), 3), region_id=region.pk, promo_codes=[code])
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 3).pk)
    receive(request(order, 1), 1)
    assert outcome(order)[:2] == ("27.60", "-10.80")
    edit = Edit(admin, order)
    edit.add(goods("scarf", 15))
    edit.confirm()
    assert outcome(order)[:3] == ("45.60", "7.20", "partially_captured")


def test_discounts_follow_lowered_units(admin: Caller) -> None:
    region, code = selling_region(tax_rate=20), PromotionFactory().code
    order = paid((goods("mug", 10), 3), region_id=region.pk, promo_codes=[code])
    edit = Edit(admin, order)
    shown = edit.set("mug", 1)["items"][0]
    assert (shown["total"], [each["amount"] for each in shown["adjustments"]]) == (10.8, [1])
    edit.confirm()
    assert outcome(order)[:3] == ("16.80", "-21.60", "captured")
    stored = sent(admin, f"orders/{order.pk}", method="GET")["order"]["items"][0]
    assert (stored["total"], [each["amount"] for each in stored["adjustments"]]) == (10.8, [1])


def test_an_unpaid_collection_follows_later_edits(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    first = Edit(admin, order)
    first.add(scarf)
    first.confirm()
    second = Edit(admin, order)
    second.set("mug", 1)
    second.confirm()
    assert outcome(order) == (
        *("66.00", "6.00", "partially_captured", "not_fulfilled"),
        *(3, [("60.00", "completed"), ("6.00", "not_paid")]),
    )
    third = Edit(admin, order)
    third.set("scarf", 0)
    third.confirm()
    assert outcome(order)[1:] == ("-12.00", "captured", "not_fulfilled", 4, [("60.00", "completed")])


def test_shipping_is_added_at_a_price_of_staff(admin: Caller) -> None:
    order, express = order_a(), option(10)
    edit = Edit(admin, order)
    path = f"{edit.path}/shipping-method"
    shown = sent(admin, path, {"shipping_option_id": express.pk, "custom_amount": 3})["order_preview"]
    assert (shown["total"], shown["shipping_total"]) == (63.6, 9.6)
    [action] = shown["shipping_methods"][-1]["actions"]
    shown = sent(admin, f"{path}/{action['id']}", {"custom_amount": None})["order_preview"]
    assert (shown["total"], shown["shipping_methods"][-1]["amount"]) == (72, 10)
    edit.confirm()
    assert outcome(order)[:2] == ("72.00", "12.00")
    methods = sent(admin, f"orders/{order.pk}", method="GET")["order"]["shipping_methods"]
    assert [(each["amount"], each["total"]) for each in methods] == [(5, 6), (10, 12)]


def test_shipping_without_a_price_is_stated_as_prices_of_the_currency_are(admin: Caller) -> None:
    Currency.objects.filter(pk="usd").update(is_tax_inclusive=True)
    order = paid((goods("mug", 10), 1), region_id=selling_region(tax_rate=19).pk)
    chosen = {"shipping_option_id": option(None).pk, "custom_amount": 4.9}
    shown = sent(admin, f"{Edit(admin, order).path}/shipping-method", chosen)["order_preview"]["shipping_methods"][-1]
    assert (shown["is_tax_inclusive"], shown["total"], shown["tax_total"]) == (True, 4.9, 0.78)


def test_an_added_line_keeps_its_price(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    edit = Edit(admin, order)
    [action] = edit.add(scarf)["items"][-1]["actions"]
    Price.objects.filter(price_set=scarf.price_set).update(amount=99)
    shown = sent(admin, f"{edit.path}/items/{action['id']}", {"quantity": 2})["order_preview"]
    assert (shown["items"][-1]["unit_price"], shown["total"]) == (15, 96)
    shown = sent(admin, f"{edit.path}/items/{action['id']}", {"unit_price": 20})["order_preview"]
    assert (shown["items"][-1]["is_custom_price"], shown["total"]) == (True, 108)
    sent(admin, f"{edit.path}/items/{action['id']}", method="DELETE")
    assert refusal(admin.post(f"/admin/{edit.path}/confirm", {}))[0] == 400


def test_too_little_stock_changes_nothing(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15, in_stock=3)
    edit = Edit(admin, order)
    edit.add(scarf, 5)
    response = admin.post(f"/admin/{edit.path}/confirm", {})
    assert (response.status_code, response.json()["code"]) == (400, "insufficient_inventory")
    assert "scarf" in response.json()["message"]
    assert outcome(order)[:2] == ("60.00", "0.00")
    assert (order.version, OrderChange.objects.get().status) == (1, "pending")
    assert reserved(order) == {"mug": 2, "tee": 1}


def test_a_deleted_variant_can_be_lowered(admin: Caller) -> None:
    order = order_a()
    admin.send("DELETE", f"/admin/products/{line(order, 'mug').product_id}")
    edit = Edit(admin, order)
    path = f"/admin/{edit.path}/items/item/{line(order, 'mug').pk}"
    assert refusal(admin.post(path, {"quantity": 3}))[0] == 400
    edit.set("mug", 1)
    edit.confirm()
    assert outcome(order)[:2] == ("48.00", "-12.00")


def test_an_order_has_one_open_change(admin: Caller) -> None:
    order = order_a()
    edit = Edit(admin, order)
    status, message = refusal(admin.post("/admin/order-edits", {"order_id": order.pk}))
    assert (status, edit.change["id"] in message) == (400, True)
    gone = sent(admin, edit.path, method="DELETE")
    assert gone == {"id": order.pk, "object": "order-edit", "deleted": True}
    assert refusal(admin.send("DELETE", f"/admin/{edit.path}"))[0] == 400
    assert refusal(admin.post(f"/admin/order-changes/{edit.change['id']}", {"internal_note": "x"}))[0] == 400
    Edit(admin, order)
    changes = sent(admin, f"orders/{order.pk}/changes", method="GET")["order_changes"]
    assert [(each["change_type"], each["status"]) for each in changes] == [("edit", "canceled"), ("edit", "pending")]


def test_a_confirmation_is_not_repeated_and_names_the_version(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    edit = Edit(admin, order)
    edit.add(scarf)
    assert admin.post(f"/admin/{edit.path}/confirm", {"version": 2}).status_code == 409
    sent(admin, f"{edit.path}/request", {"no_notification": True, "version": 1})
    assert OrderChange.objects.get().status == "requested"
    edit.confirm(version=1)
    assert refusal(admin.post(f"/admin/{edit.path}/confirm", {}))[0] == 400
    assert outcome(order)[:2] == ("78.00", "18.00")


@pytest.mark.parametrize(("status", "acts"), [("canceled", ["cancel"]), ("completed", ["complete"])])
def test_orders_that_have_ended_are_not_edited(admin: Caller, status: str, acts: list[str]) -> None:
    order = order_a()
    edit = Edit(admin, order)
    for act in acts:
        sent(admin, f"orders/{order.pk}/{act}", {"note": "Lost"} if act == "complete" else {})
    assert Order.objects.get().status == status
    assert OrderChange.objects.get().status == ("canceled" if status == "canceled" else "pending")
    body = {"items": [{"variant_id": goods("scarf", 15).pk, "quantity": 1}]}
    assert refusal(admin.post(f"/admin/{edit.path}/items", body))[0] == 400
    assert refusal(admin.post("/admin/order-edits", {"order_id": order.pk}))[0] == 400


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"quantity": 0}, "quantity"),
        ({"quantity": -1}, "quantity"),
        ({"quantity": 1.5}, "quantity"),
        ({"unit_price": -0.01}, "unit_price"),
        ({"unit_price": 10.001}, "unit_price"),
        ({"variant_id": "variant_unknown"}, "variant"),
        ({"allow_backorder": True}, "allow_backorder"),
    ],
)
def test_what_cannot_be_added(admin: Caller, item: dict[str, object], field: str) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    edit = Edit(admin, order)
    body = {"items": [{"variant_id": scarf.pk, "quantity": 1, **item}]}
    status, message = refusal(admin.post(f"/admin/{edit.path}/items", body))
    assert (status, field in message) == (400, True)


def test_ids_of_others_are_not_found(admin: Caller) -> None:
    mine, other = Edit(admin, order_a()), Edit(admin, order_a())
    [action] = other.add(goods("scarf", 15))["items"][-1]["actions"]
    foreign = line(other.order, "mug").pk
    assert admin.post(f"/admin/{mine.path}/items/item/{foreign}", {"quantity": 1}).status_code == 404
    assert admin.post(f"/admin/{mine.path}/items/{action['id']}", {"quantity": 1}).status_code == 404
    assert admin.send("DELETE", f"/admin/{mine.path}/items/{action['id']}").status_code == 404
    assert admin.post("/admin/order-edits/order_unknown/confirm", {}).status_code == 404
    assert admin.post("/admin/order-edits", {"order_id": "order_unknown"}).status_code == 400
