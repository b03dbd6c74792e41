"""Receiving returns: stock, totals, statuses."""

from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest

from carts.arithmetic import line_totals
from carts.lines.lines import NewLineItem
from catalog.models import InventoryLevel, StockMovement
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies
from kit.errors import DomainError, Forbidden
from orders.api.resources import ORDERS
from orders.fulfillments import delivery
from orders.fulfillments.errors import DuplicateItem, QuantityTooSmall, UnknownLocation
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import Order, OrderTaxLine
from orders.returns import arrivals, receipt
from orders.returns.creation import ReturnDetails
from orders.returns.errors import (
    ItemsNotInReturn,
    MoreThanRequested,
    NothingToReceive,
    NotReceivable,
    NotStockedThere,
    RestockLocationRequired,
)
from orders.returns.receipt import ReceivedItem
from payments.errors import NothingToCapture
from payments.models import Payment
from payments.movements import capturing, refunding
from tests.factories.actors import staff_actor
from tests.factories.carts import PromotionFactory, selling_region, shopper, sold_variant
from tests.factories.checkout import checked_out_cart, ready_cart
from tests.factories.giftcards import gift_card
from tests.factories.inventory import StockLocationFactory, stock
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import events, kit_of, pack
from tests.orders.placed import placed
from tests.orders.returns.shop import STAFF, books, delivered, lines, paid, receive, request

pytestmark = pytest.mark.django_db


def summary(made: Order) -> dict[str, Any]:
    """What storefronts see of the order's amounts."""
    query = ORDERS.single_query({"fields": "total,original_total,payment_status,*summary,*items,*items.detail"})
    shown = ORDERS.one(made.pk, query, shopper())
    [line] = shown["items"]
    return {
        "total": shown["total"],
        "original_total": shown["original_total"],
        "line": line["total"],
        "refundable": line["refundable_total"],
        "quantity": line["detail"]["quantity"],
        "placed": shown["summary"]["original_order_total"],
        "pending": shown["summary"]["pending_difference"],
        "requested": line["return_requested_total"],
        "received": line["return_received_total"],
        "dismissed": line["return_dismissed_total"],
        "status": shown["payment_status"],
    }


PLACED = {
    "total": 38.4,
    "original_total": 42,
    "line": 32.4,
    "refundable": 32.4,
    "quantity": 3,
    "placed": 38.4,
    "pending": 0,
    "requested": 0,
    "received": 0,
    "dismissed": 0,
    "status": "captured",
}


@pytest.fixture
def three(db: None) -> Order:
    """3 x 10 net, 20 % tax, discount 3, shipping 5, all captured: 38.4."""
    code = PromotionFactory().code
    region = selling_region(tax_rate=20)
    return delivered((sold_variant(10, in_stock=9), 3), region_id=region.pk, promo_codes=[code])


class TestTotals33:
    def test_the_table(self, three: Order) -> None:
        assert summary(three) == PLACED
        returned = request(three, 2)
        assert summary(three) == {**PLACED, "refundable": 10.8, "requested": 21.6}
        receive(returned, (1, 0))
        one = {"total": 27.6, "original_total": 30, "line": 21.6, "refundable": 10.8, "pending": -10.8}
        assert summary(three) == {**PLACED, **one, "requested": 10.8, "received": 10.8}
        receive(returned, (0, 1))
        two = {"total": 16.8, "original_total": 18, "line": 10.8, "refundable": 10.8, "pending": -21.6}
        assert summary(three) == {**PLACED, **two, "received": 10.8, "dismissed": 10.8}
        assert list(discrepancies()) == []

    def test_what_the_kept_units_cost_is_computed_once(self, three: Order, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three taxes: before the discount, after it, and without the next unit."""
        returned = request(three, 1)
        taxed = Mock(wraps=line_totals.taxes_on)
        monkeypatch.setattr(line_totals, "taxes_on", taxed)
        receive(returned, 1)
        assert taxed.call_count == 3
        [line] = lines(three)
        assert (line.total, line.refundable_total_per_unit) == (Decimal("21.6"), Decimal("10.8"))

    def test_until_it_is_refunded(self, three: Order) -> None:
        receive(request(three, 1), 1)
        payment = Payment.objects.get(collection__order_id=three.pk)
        refunding.refund(actor=STAFF, payment_id=payment.pk, amount=Decimal("10.8"))
        seen = summary(three)
        assert (seen["total"], seen["pending"], seen["status"]) == (27.6, 0, "partially_refunded")

    def test_of_everything(self, three: Order) -> None:
        receive(request(three, 3), 3)
        everything = {"total": 6, "original_total": 6, "line": 0, "refundable": 0, "pending": -32.4, "received": 32.4}
        assert summary(three) == {**PLACED, **everything}
        assert OrderTaxLine.objects.get(item__order=three).total == 0
        assert list(discrepancies()) == []

    def test_each_amount_is_rounded_once_and_all_of_them_add_up(self) -> None:
        """A third of 1.00 in a price with tax, of several lines."""
        code = PromotionFactory(type="fixed", value=1, currency_id="usd").code
        region = selling_region(tax_rate=19, is_tax_inclusive=True)
        made = delivered((sold_variant("3.33"), 3), (sold_variant("0.07"), 2), region_id=region.pk, promo_codes=[code])
        for step in ((1, 0), (1, 1), (1, 0), (0, 1)):
            receive(request(made, *step), *step)
            assert list(discrepancies()) == []
        made.refresh_from_db()
        assert (made.item_total, made.total) == (0, made.shipping_total)

    def test_what_credit_has_paid_is_owed_too_and_the_total_is_never_negative(self) -> None:
        cart = checked_out_cart(sold_variant(20), shipping=5)
        add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(22).code)
        made = placed(cart=type(cart).objects.get(pk=cart.pk))
        delivery.deliver(actor=STAFF, fulfillment_id=pack(made, 1).pk)
        assert made.total == 3
        receive(request(made, 1), 1)
        seen = summary(made)
        assert (seen["total"], seen["pending"], seen["placed"]) == (0, -20, 3)

    def test_the_payment_status_follows_what_is_due(self) -> None:
        made = delivered(captured=False)
        payment = Payment.objects.get(collection__order_id=made.pk)
        capturing.capture(actor=STAFF, payment_id=payment.pk, amount=Decimal(40))
        for number, status in ((1, "partially_captured"), (2, "captured")):  # of 55, then of 45 and 25
            receive(request(made, number), number)
            made.refresh_from_db()
            assert made.payment_status == status

    def test_what_was_authorized_is_voided_once_nothing_is_due(self) -> None:
        cart = ready_cart(NewLineItem(sold_variant(10).pk, 3), shipping=0)
        made = order_of(cart)
        delivery.deliver(actor=STAFF, fulfillment_id=pack(made, 3).pk)
        payment = Payment.objects.get(collection__order_id=made.pk)
        receive(request(made, 2), 2)
        payment.session.refresh_from_db()
        assert payment.session.status == "authorized"
        receive(request(made, 1), 1)
        payment.session.refresh_from_db()
        made.refresh_from_db()
        assert (payment.session.status, made.payment_status, made.total) == ("canceled", "captured", 0)
        with pytest.raises(NothingToCapture):
            capturing.capture(actor=STAFF, payment_id=payment.pk)
        assert list(discrepancies()) == []


class TestStock33:
    def test_received_units_are_restocked_and_damaged_ones_are_not(self) -> None:
        made = delivered()
        returned = request(made, 4)
        receive(returned, (1, 1))
        assert returned.status == "partially_received"
        assert books(made) == ([(2, 1, 1)], [6], [1])
        receive(returned, (2, 0))
        assert (returned.status, returned.received_at is None) == ("received", False)
        assert books(made) == ([(0, 3, 1)], [8], [1, 2])
        movement = StockMovement.objects.latest("pk")
        assert (movement.reference_id, movement.created_by) == (returned.pk, STAFF.id)
        assert [name for name, _ in events(made)][-3:] == ["order.return_requested", *["order.return_received"] * 2]
        made.refresh_from_db()
        assert made.fulfillment_status == "delivered"
        with pytest.raises(NotReceivable):
            receive(returned, 1)

    def test_a_kit_is_restocked_as_it_was_deducted(self) -> None:
        kit = kit_of((2, 10), (1, 5), location=StockLocationFactory())
        made = delivered((kit, 3))
        assert books(made).stock == [4, 2]
        kit.inventory_links.update(required_quantity=7)
        returned = request(made, 3)
        receive(returned, (1, 1))
        receive(returned, 1)
        assert books(made) == ([(0, 2, 1)], [8, 4], [2, 2, 1, 1])

    def test_at_the_location_of_the_return_or_of_the_receipt(self) -> None:
        made = delivered()
        returned = request(made, 2)
        item = StockMovement.objects.latest("pk").level
        with pytest.raises(UnknownLocation):
            receive(returned, 1, location_id="sloc_none")
        elsewhere = StockLocationFactory()
        with pytest.raises(NotStockedThere, match=f"{elsewhere.pk} of field 'location_id'"):
            receive(returned, 1, location_id=elsewhere.pk)
        assert books(made) == ([(2, 0, 0)], [5], [])
        receive(returned, (0, 1), location_id=None)
        receive(returned, 1, location_id=item.location_id)
        assert returned.location_id == item.location_id
        other = request(made, 1, details=ReturnDetails(location_id=item.location_id))
        receive(other, 1, location_id=None)
        assert books(made).stock == [7]

    def test_by_default_where_all_of_them_were_shipped_from(self) -> None:
        made = delivered()
        returned = request(made, 2)
        receive(returned, 1, location_id=None)
        assert returned.location_id == StockMovement.objects.earliest("pk").level.location_id
        assert books(made).stock == [6]

    def test_goods_from_two_locations_need_one(self) -> None:
        variant = sold_variant(10, in_stock=2)
        first = InventoryLevel.objects.get()
        second = stock(variant, 3, item=first.inventory_item)
        made = paid((variant, 5))
        for level, units in ((first, 2), (second, 3)):
            packed = pack(made, units, location_id=level.location_id)
            delivery.deliver(actor=STAFF, fulfillment_id=packed.pk)
        returned = request(made, 1)
        with pytest.raises(RestockLocationRequired):
            receive(returned, 1, location_id=None)
        receive(returned, 1, location_id=second.location_id)
        second.refresh_from_db()
        assert second.stocked_quantity == 1

    def test_goods_whose_stock_is_not_managed_need_no_location(self) -> None:
        made = delivered((sold_variant(10), 2))
        receive(request(made, 2), 2, location_id=None)
        assert books(made) == ([(0, 2, 0)], [], [])


class TestRefusals:
    @pytest.mark.parametrize(
        ("counts", "error"),
        [
            ([(4, 0)], MoreThanRequested),
            ([(2, 2)], MoreThanRequested),
            ([(0, 0)], QuantityTooSmall),
            ([(-1, 2)], QuantityTooSmall),
            ([(1, 0), (1, 0)], DuplicateItem),
            ([], NothingToReceive),
        ],
    )
    def test_of_units(self, counts: list[tuple[int, int]], error: type[DomainError]) -> None:
        made = delivered()
        returned = request(made, 3)
        items = [ReceivedItem(lines(made)[0].pk, *count) for count in counts]
        with pytest.raises(error):
            receipt.receive(actor=STAFF, return_id=returned.pk, items=items)
        assert books(made).counters == [(3, 0, 0)]

    def test_of_other_lines_and_of_strangers(self) -> None:
        made = delivered((sold_variant(10), 1), (sold_variant(10), 1))
        returned = request(made, 1)
        other = lines(made)[1]
        with pytest.raises(ItemsNotInReturn):
            receipt.receive(actor=STAFF, return_id=returned.pk, items=[ReceivedItem(other.pk, 1)])
        with pytest.raises(Forbidden):
            receive(returned, 1, actor=staff_actor("orders.add_return"))


class TestArrivals:
    def test_what_is_counted_is_received_when_staff_confirm_it(self) -> None:
        made = delivered()
        returned = request(made, 4)
        [line] = lines(made)
        place = StockMovement.objects.latest("pk").level.location_id
        made.returns.update(location=place)
        given = {"actor": STAFF, "return_id": returned.pk}
        arrivals.begin(**given, internal_note="Box is open")
        for number in (4, 2):
            arrivals.count_received(**given, items=[ItemQuantity(line.pk, number)])
        with pytest.raises(MoreThanRequested):
            arrivals.count_damaged(**given, items=[ItemQuantity(line.pk, 3)])
        arrivals.count_damaged(**given, items=[ItemQuantity(line.pk, 1)])
        assert books(made) == ([(4, 0, 0)], [5], [])
        arrivals.confirm(**given)
        assert books(made) == ([(1, 2, 1)], [7], [2])
        returned.refresh_from_db()
        assert (returned.status, returned.internal_note) == ("partially_received", "Box is open")
        with pytest.raises(NothingToReceive):
            arrivals.confirm(**given)

    def test_counts_can_be_discarded(self) -> None:
        made = delivered()
        returned = request(made, 4)
        given = {"actor": STAFF, "return_id": returned.pk}
        arrivals.count_received(**given, items=[ItemQuantity(lines(made)[0].pk, 3)])
        arrivals.discard(**given)
        with pytest.raises(NothingToReceive):
            arrivals.confirm(**given)
        with pytest.raises(ItemsNotInReturn):
            arrivals.count_received(**given, items=[ItemQuantity("ordli_none", 1)])

    def test_nothing_can_be_counted_of_a_return_that_is_not_requested(self) -> None:
        returned = request(delivered(), 1)
        receive(returned, 1)
        with pytest.raises(NotReceivable):
            arrivals.begin(actor=STAFF, return_id=returned.pk)
