"""The forms that request, receive and cancel a return."""

from decimal import Decimal

import pytest
from pytest_django import Settings

from orders.admin.actions import action_url
from orders.changes.added_lines import NewItem
from orders.exchanges import exchanging
from orders.fulfillments import delivery, shipping
from orders.models import OrderLineItem, OrderShippingMethod, Return, ReturnItem
from tests.factories.carts import sold_variant
from tests.factories.fulfillment import option
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.orders import return_reason
from tests.orders.admin.forms.desk import act, changed, desk, filled, history, page, refused, send, text_of
from tests.orders.changes.shop import goods, outcome
from tests.orders.exchanges.shop import back, delivered_a
from tests.orders.fulfillments.shop import lines, pack
from tests.orders.returns.shop import STAFF, books, delivered, paid, receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]

BACK = [("is_return", "eq", "true")]


def test_a_return_is_requested_once() -> None:
    client, user = desk()
    order = delivered()
    (line,) = lines(order)
    reason, parent = return_reason("small", "Too small"), return_reason("size", "Size")
    reason.parent_return_reason = parent
    reason.save()
    text = page(client, order, "request-return")
    assert "5 of 5 can be returned" in text
    assert "Nothing is restocked or refunded until they are received." in text
    form = filled(client, order, "request-return", **{f"units_{line.pk}": "2"}, reason=reason.pk, note="Called")
    for _ in range(2):
        message = send(client, order, "request-return", "", form)
        assert message == "Requested the return of 2 units."
    item = ReturnItem.objects.get()
    assert (item.quantity, item.reason, item.of_return.internal_note) == (2, reason, "Called")
    assert item.of_return.created_by == user.pk
    assert history(order) == [(user.email, message)]


def test_each_line_has_a_reason_by_default_the_one_below() -> None:
    client, _ = desk()
    order = delivered((sold_variant(10), 2), (sold_variant(20), 2))
    first, second = lines(order)
    small, late = return_reason("small", "Too small"), return_reason("late", "Too late")
    units = {f"units_{line.pk}": "1" for line in (first, second)}
    unknown = refused(client, order, "request-return", **units, **{f"reason_{first.pk}": "rr_none"})
    assert unknown == ["Select a valid choice. That choice is not one of the available choices."]
    act(client, order, "request-return", **units, **{f"reason_{first.pk}": late.pk}, reason=small.pk)
    assert {item.item_id: item.reason for item in ReturnItem.objects.all()} == {first.pk: late, second.pk: small}


def test_a_return_with_its_shipping() -> None:
    client, _ = desk()
    order = delivered()
    option(3, name="Delivery only", rules=[("is_return", "eq", "false")])
    by_post, unpriced = option(5, name="By post", rules=BACK), option(None, name="Collected", rules=BACK)
    units = f"units_{lines(order)[0].pk}"
    text = page(client, order, "request-return")
    assert "By post, $5.00" in text
    assert "Collected, without a price" in text
    assert "Delivery only" not in text
    unknown = "Select a valid choice. so_none is not one of the available choices."
    for given, error in (
        ({"option_id": unpriced.pk}, "This option has no price: enter one."),
        ({"option_id": "so_none"}, unknown),
        ({"custom_amount": "4"}, "Choose the shipping that the price is for."),
        ({"option_id": by_post.pk, "custom_amount": "-1"}, "Ensure this value is greater than or equal to 0."),
    ):
        assert refused(client, order, "request-return", **{units: "1"}, **given) == [error]
    act(client, order, "request-return", **{units: "1"}, option_id=by_post.pk)
    act(client, order, "request-return", **{units: "1"}, option_id=unpriced.pk, custom_amount="4.50")
    found = OrderShippingMethod.objects.exclude(of_return=None).order_by("pk")
    assert [(each.name, each.amount, each.is_custom_amount) for each in found] == [
        ("By post", 5, False),
        ("Collected", Decimal("4.5"), True),
    ]


def test_a_typed_price_of_return_shipping_is_repeated_with_its_option() -> None:
    client, _ = desk()
    order = delivered()
    by_post, by_van = option(5, name="By post", rules=BACK), option(None, name="By van", rules=BACK)
    units, address = f"units_{lines(order)[0].pk}", action_url(order.pk, "request-return")
    form = filled(client, order, "request-return", **{units: "1"}, option_id=by_post.pk, custom_amount="3,40")
    for values, asked in (
        (changed(form, confirmed=""), "shipping at $3.40 before taxes (By post)?"),
        (changed(form, custom_amount="340"), "shipping at $340.00 before taxes (By post)?"),
        (changed(form, option_id=by_van.pk), "shipping at $3.40 before taxes (By van)?"),
    ):
        assert f"Request return, {asked} Nothing has been done yet." in text_of(client.post(address, values))
    assert not Return.objects.exists()
    for _ in range(2):
        assert send(client, order, "request-return", "", form) == "Requested the return of 1 unit."
    assert OrderShippingMethod.objects.get(of_return=Return.objects.get()).amount == Decimal("3.40")


def test_wrong_units_are_refused_at_their_field() -> None:
    client, _ = desk()
    order = delivered()
    units, parent = f"units_{lines(order)[0].pk}", return_reason("size", "Size")
    return_reason("small", "Too small", parent_return_reason=parent)
    for given, error in (
        ({}, "Enter how many units to return."),
        ({units: "6"}, "Only 5 can still be returned."),
        ({units: "-1"}, "Ensure this value is greater than or equal to 0."),
        ({units: "1", "reason": parent.pk}, "Select a valid choice. That choice is not one of the available choices."),
    ):
        assert refused(client, order, "request-return", **given) == [error]
    assert not Return.objects.exists()


def test_units_are_received_once_and_the_damaged_not_restocked() -> None:
    client, user = desk()
    order = delivered()
    returned = request(order, 3)
    (line,) = lines(order)
    text = page(client, order, "receive-return", returned.pk)
    assert "3 of 3 still expected" in text
    assert "The customer is owed $30.00 once everything is received." in text
    form = filled(
        client, order, "receive-return", returned.pk, **{f"received_{line.pk}": "1", f"damaged_{line.pk}": "1"}
    )
    for _ in range(2):
        message = send(client, order, "receive-return", returned.pk, form)
        assert message == "Received 1 undamaged unit and 1 damaged of return 1."
    assert books(order) == ([(1, 1, 1)], [6], [1])
    assert "1 of 3 still expected" in page(client, order, "receive-return", returned.pk)
    act(client, order, "receive-return", returned.pk)
    assert books(order) == ([(0, 2, 1)], [7], [1, 1])
    assert [email for email, _ in history(order)] == [user.email] * 2


def test_too_many_units_and_no_location_are_refused_at_their_field() -> None:
    client, _ = desk()
    berlin, leipzig = StockLocationFactory(name="Berlin"), StockLocationFactory(name="Leipzig")
    tea = sold_variant(10, in_stock=0)
    item = tea.inventory_links.get().inventory_item
    for place in (berlin, leipzig):
        stock(tea, 2, location=place, item=item)
    order = paid((tea, 4))
    for place in (berlin, leipzig):
        delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 2, location_id=place.pk).pk)
    returned = request(order, 4)
    received, damaged = (f"{name}_{lines(order)[0].pk}" for name in ("received", "damaged"))
    assert "The units were shipped from Berlin and Leipzig." in page(client, order, "receive-return", returned.pk)
    for given, error in (
        ({received: "5"}, "Only 4 are still expected."),
        ({received: "4", damaged: "1"}, "Only 4 are still expected, including damaged units."),
        ({received: "0"}, "Enter how many units you received."),
    ):
        assert refused(client, order, "receive-return", returned.pk, location_id=berlin.pk, **given) == [error]
    assert refused(client, order, "receive-return", returned.pk) == ["This field is required."]
    other = StockLocationFactory(name="Dresden")
    [error] = refused(client, order, "receive-return", returned.pk, location_id=other.pk)
    assert "Dresden" in error
    assert other.pk not in error
    act(client, order, "receive-return", returned.pk, location_id=leipzig.pk)
    assert OrderLineItem.objects.get().return_received_quantity == 4


def test_a_return_is_canceled_once() -> None:
    client, user = desk()
    order = delivered()
    returned = request(order, 2)
    assert "No longer expects 2 x Product" in page(client, order, "cancel-return", returned.pk)
    form = filled(client, order, "cancel-return", returned.pk)
    for _ in range(2):
        assert send(client, order, "cancel-return", returned.pk, form) == "Canceled return 1."
    assert books(order).counters == [(0, 0, 0)]
    assert history(order) == [(user.email, "Canceled return 1.")]


def test_only_lines_with_units_that_are_left_have_fields() -> None:
    client, _ = desk()
    order = delivered((sold_variant(10), 2), (sold_variant(20), 2))
    first, second = lines(order)
    returned = request(order, 1, 2)
    act(client, order, "receive-return", returned.pk, **{f"received_{second.pk}": "0", f"received_{first.pk}": "1"})
    form = client.get(action_url(order.pk, "receive-return", returned.pk)).context["form"]
    assert [row.title for row in form.rows()] == [form.state.lines[second.pk].name]
    assert first.pk not in "".join(form.fields)


def test_units_that_were_picked_up_count_beside_shipped_ones(settings: Settings) -> None:
    settings.RETURN_AFTER = "shipped"
    client, _ = desk()
    order = paid((sold_variant(10), 5))
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 2).pk)
    shipping.ship(actor=STAFF, fulfillment_id=pack(order, 3).pk)
    assert "5 of 5 can be returned" in page(client, order, "request-return")


def test_a_return_of_an_exchange_is_canceled_for_what_did_not_come() -> None:
    client, user = desk()
    order = delivered_a()
    given = {"returned": back(order, units=2), "added": [NewItem(goods("blue", 10).pk, 2)]}
    exchanging.exchange(actor=STAFF, order_id=order.pk, **given)
    returned = Return.objects.get()
    assert "is owed" not in page(client, order, "receive-return", returned.pk)
    assert "$24.00 is then due from the customer in all" in page(client, order, "cancel-return", returned.pk)
    receive(returned, 1)
    text = page(client, order, "cancel-return", returned.pk)
    assert "No longer expects 1 x mug" in text
    assert "$12.00 is then due from the customer in all" in text
    assert act(client, order, "cancel-return", returned.pk) == "Canceled the rest of return 1."
    assert history(order) == [(user.email, "Canceled the rest of return 1.")]
    assert outcome(order)[:2] == ("72.00", "12.00")
