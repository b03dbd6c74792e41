"""What the form of edits refuses, and what it shows again before it acts. Cases: tests/orders/changes/cases.py."""

import pytest

from catalog.models import ProductVariant
from kit.domain.actor import SYSTEM
from orders.admin.actions import ACTIONS, action_url
from orders.changes import lifecycle
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.fulfillments import delivery
from orders.managing import completion
from orders.models import OrderChange, OrderLineItem
from tests.factories.carts import sold_variant
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.admin.forms import changed, filled_in
from tests.orders.admin.forms.desk import desk, filled, history, page, refusal, send, text_of
from tests.orders.admin.forms.edits import by, previewed, refusals, units
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.shop import staff
from tests.orders.refunds.test_bought_cards import gift_order

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_changed_value_is_shown_before_anything_is_done() -> None:
    client, _ = desk()
    order = order_a()
    mugs = units(order, "mug")
    first, form = previewed(client, order, filled(client, order, "edit", **{mugs: "1"}))
    second, form = previewed(client, order, changed(form, **{mugs: "3"}))
    assert (first[-3], second[-3]) == ("Total with tax: $60.00 → $48.00.", "Total with tax: $60.00 → $72.00.")
    send(client, order, "edit", "", form)
    assert outcome(order)[:2] == ("72.00", "12.00")


def test_what_is_exchanged_for_its_like_is_shown_before_anything_is_done() -> None:
    client, _ = desk()
    order, scarf, like = order_a(), goods("scarf", 15), goods("scarf", 15)
    ProductVariant.objects.filter(pk=like.pk).update(title=scarf.title)
    ways = [option(0, name="Pick-up") for _ in range(2)]
    form = filled(client, order, "edit", variant_1=scarf.pk, shipping_option_id=ways[0].pk)
    told, form = previewed(client, order, form)
    assert told[:2] == [f"scarf ({scarf.title}): 1 added, $18.00.", "Pick-up: added, $0.00."]
    for values in ({"variant_1": like.pk}, {"shipping_option_id": ways[1].pk}):
        again, form = previewed(client, order, changed(form, **values))
        assert again == told
    send(client, order, "edit", "", form)
    assert line(order, "scarf").variant_id == like.pk


def test_a_form_that_is_sent_twice_edits_once() -> None:
    client, user = desk()
    order = order_a()
    _, form = previewed(client, order, filled(client, order, "edit", **{units(order, "mug"): "1"}))
    for _ in range(2):
        assert send(client, order, "edit", "", form) == "Edited: the total was $60.00, and is $48.00."
    assert outcome(order)[4] == 2
    assert [entry for entry, _ in history(order)] == [user.email]
    other = client.post(action_url(order.pk, "edit"), changed(form, **{units(order, "mug"): "2"}))
    assert "This form has already been submitted with other values." in text_of(other)


def test_a_form_about_an_earlier_state_changes_nothing() -> None:
    client, _ = desk()
    order = order_a()
    _, form = previewed(client, order, filled(client, order, "edit", **{units(order, "mug"): "1"}))
    edit(actor=SYSTEM, order_id=order.pk, changed_items=[LineChange(line(order, "tee").pk, 2, None, {})])
    answer = client.post(action_url(order.pk, "edit"), form)
    assert "Nothing was done: this order was changed" in text_of(answer)
    assert outcome(order)[:2] == ("90.00", "30.00")
    told, form = previewed(client, order, filled_in(answer))  # 2 tees are there by now, the form still says 1
    assert "Total with tax: $90.00 → $48.00." in told
    send(client, order, "edit", "", form)
    assert outcome(order)[:2] == ("48.00", "-12.00")


def test_a_form_names_the_edit_that_a_program_has_begun_meanwhile() -> None:
    client, _ = desk()
    order = order_a()
    form = filled(client, order, "edit", **{units(order, "mug"): "1"})
    lifecycle.begin(actor=SYSTEM, order_id=order.pk)
    told = "An edit of this order has been begun. Confirm or cancel that one first, on the order's page."
    assert refusal(client, order, "edit", "", form) == [told]


def test_refusals_stand_at_their_fields() -> None:
    """Cases 12, 13, 15, 29 and 31."""
    client, _ = desk()
    order, scarf = order_a(), goods("scarf", 15, in_stock=3)
    pack(order, 1)
    mugs, tees = units(order, "mug"), units(order, "tee")
    too_few = "At least 1: so many are packed. What was shipped comes back by a return."
    assert refusals(client, order, **{mugs: "0"}) == {mugs: [too_few]}
    assert f"price_{line(order, 'mug').pk}" not in filled(client, order, "edit")
    for text in ("-1", "1.5", "", "x"):
        assert list(refusals(client, order, **{tees: text})) == [tees]
    for text in ("-0.01", "10.0011"):
        assert list(refusals(client, order, variant_1=scarf.pk, new_price_1=text)) == ["new_price_1"]
    assert refusals(client, order, new_price_1="3") == {"variant_1": ["Choose the item that the price is for."]}
    for text in ("variant_none", "x\x00"):
        assert list(refusals(client, order, variant_1=text)) == ["variant_1"]
    assert list(refusals(client, order, variant_1=scarf.pk, new_quantity_1="0")) == ["new_quantity_1"]
    out_of_stock = f"Not enough stock available for scarf ({scarf.title})"
    assert refusals(client, order, variant_1=scarf.pk, new_quantity_1="5") == {"": [out_of_stock]}
    assert refusals(client, order) == {"": ["Nothing is changed yet."]}
    elsewhere = sold_variant(15, product=ProductFactory(sales_channels=[SalesChannelFactory()]))
    not_sold = {"variant_2": ["The order's sales channel does not sell this item."]}
    assert refusals(client, order, variant_1=scarf.pk, variant_2=elsewhere.pk) == not_sold
    assert outcome(order)[4] == 2
    assert OrderChange.objects.count() == 0


def test_gift_cards_are_neither_changed_nor_added() -> None:
    client, _ = desk()
    order = gift_order()
    [card] = OrderLineItem.objects.filter(order=order, is_giftcard=True)
    assert f"quantity_{card.pk}" not in filled(client, order, "edit")
    assert list(refusals(client, order, variant_1=str(card.variant_id))) == ["variant_1"]


def test_a_full_form_offers_a_further_item() -> None:
    client, _ = desk()
    order, scarf, lamp = order_a(), goods("scarf", 15), goods("lamp", 25)
    form = filled(client, order, "edit", variant_1=scarf.pk, variant_2=lamp.pk)
    assert "variant_3" not in form
    _, form = previewed(client, order, form)
    told, form = previewed(client, order, changed(form, variant_3=scarf.pk))
    assert "Total with tax: $60.00 → $126.00." in told
    assert "variant_4" in form


def test_closed_orders_are_not_offered_the_form() -> None:
    """Cases 13 and 30."""
    client, _ = desk()
    order = order_a()
    for packed in ((2, 0), (0, 1)):
        delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, *packed).pk)
    told, _ = previewed(client, order, filled(client, order, "edit", variant_1=goods("scarf", 15).pk))
    assert "Total with tax: $60.00 → $78.00." in told
    form = filled(client, order, "edit")
    completion.complete(actor=staff(), order_id=order.pk, note="Done")
    assert client.get(action_url(order.pk, "edit")).status_code == 302
    assert "Nothing was done" in text_of(client.post(action_url(order.pk, "edit"), form))


def test_who_may_not_set_prices_sees_no_field_of_them() -> None:
    order = order_a()
    option(4, name="Courier")
    option(None, name="Freight")
    client = by("orders.view_order", "orders.add_orderchange", "catalog.view_productvariant")
    text, form = page(client, order, "edit"), filled(client, order, "edit")
    assert ("Courier, $4.00" in text, "Freight" in text) == (True, False)
    assert [name for name in form if "price" in name or name in ("custom_amount", "settlement")] == []
    given = {f"price_{line(order, 'tee').pk}": "1", "new_price_1": "1", "variant_1": goods("scarf", 15).pk}
    told, _ = previewed(client, order, changed(form, **given))
    assert told[-3] == "Total with tax: $60.00 → $78.00."


def test_the_forms_take_the_permission_of_the_routes() -> None:
    assert {ACTIONS[name].permissions for name in ("edit", "confirm-edit", "cancel-edit")} == {
        ("orders.add_orderchange",)
    }
