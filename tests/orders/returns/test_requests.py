"""Requesting and canceling returns: which units of which lines, by whom, and until when."""

from datetime import timedelta
from typing import Any

import pytest

from customers.models import Customer
from kit.domain.actor import SYSTEM, Actor
from kit.errors import DomainError, Forbidden, InvalidData
from kit.values.timestamps import now
from orders.common.errors import OrderNotFound
from orders.fulfillments import delivery, shipping
from orders.fulfillments.errors import DuplicateItem, ItemsNotInOrder, OrderCanceled, QuantityTooSmall, UnknownLocation
from orders.models import Fulfillment, Order, ReturnItem
from orders.returns import cancellation, creation
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.errors import (
    GiftCardLine,
    NothingToReturn,
    ReasonHasNested,
    ReceiptBegun,
    ReturnAlreadyCanceled,
    ReturnNotFound,
    TooManyToReturn,
    UnknownReturnReason,
    WindowClosed,
)
from tests.factories.actors import staff_actor
from tests.factories.carts import shopper, sold_variant
from tests.factories.inventory import StockLocationFactory
from tests.factories.orders import return_reason
from tests.orders.fulfillments.shop import events, kit_of, pack
from tests.orders.placed import gift
from tests.orders.returns.shop import STAFF, books, delivered, lines, paid, receive, request, wanted

pytestmark = pytest.mark.django_db


def refusal(made: Order, *items: NewReturnItem, actor: Actor = STAFF, **given: Any) -> type[DomainError]:
    """Why the request is refused. It changes nothing."""
    before = books(made), made.returns.count()
    with pytest.raises(DomainError) as error:
        creation.request(actor=actor, order_id=made.pk, items=items, **given)
    assert (books(made), made.returns.count()) == before
    return error.type


class TestRequests:
    def test_of_a_part(self) -> None:
        reason = return_reason()
        made = delivered()
        [line] = lines(made)
        items = [NewReturnItem(line.pk, 2, reason.pk, "Too small", {"seal": "broken"})]
        details = ReturnDetails(note="By post", internal_note="VIP", metadata={"label": "A"})
        return_id = creation.request(actor=STAFF, order_id=made.pk, items=items, details=details)
        returned = made.returns.get()
        version, made = made.version, Order.objects.get(pk=made.pk)
        assert (returned.pk, returned.status, returned.display_id) == (return_id, "requested", 1)
        assert (returned.note, returned.internal_note, returned.metadata) == ("By post", "VIP", {"label": "A"})
        assert (returned.created_by, returned.order_version, returned.received_at) == (STAFF.id, made.version - 1, None)
        assert returned.requested_at is not None
        assert made.version == version + 3  # packed, delivered, requested
        [item] = ReturnItem.objects.filter(of_return=returned)
        assert (item.item_id, item.quantity, item.received_quantity, item.damaged_quantity) == (line.pk, 2, 0, 0)
        assert (item.reason_id, item.note, item.metadata) == (reason.pk, "Too small", {"seal": "broken"})
        assert books(made) == ([(2, 0, 0)], [5], [])
        assert events(made)[-1] == ("order.return_requested", made.pk)

    def test_several_are_open_at_once_and_counted(self) -> None:
        made = delivered()
        assert [request(made, 1).display_id, request(made, 3).display_id] == [1, 2]
        assert books(made).counters == [(4, 0, 0)]

    def test_what_the_customer_owes_changes_only_when_goods_are_received(self) -> None:
        made = delivered()
        before = made.total, made.payment_status
        request(made, 5)
        made.refresh_from_db()
        assert (made.total, made.payment_status) == before
        [line] = lines(made)
        assert (line.total, line.refundable_total, line.refundable_total_per_unit) == (50, 0, 0)

    def test_archived_and_completed_orders_can_be_returned(self) -> None:
        made = delivered()
        for status in ("archived", "completed"):
            Order.objects.filter(pk=made.pk).update(status=status)
            request(made, 1)
        Order.objects.filter(pk=made.pk).update(status="canceled", canceled_at=now())
        assert refusal(made, *wanted(made, 1)) is OrderCanceled


class TestRefusals31:
    def test_more_than_was_delivered(self) -> None:
        made = paid()
        assert refusal(made, *wanted(made, 1)) is TooManyToReturn
        pack(made, 3)
        assert refusal(made, *wanted(made, 1)) is TooManyToReturn
        delivery.deliver(actor=STAFF, fulfillment_id=Fulfillment.objects.get(order=made).pk)
        with pytest.raises(
            TooManyToReturn, match=r"what was delivered for item \w+ - Product \d+ \(Variant \d+\): 3 can still"
        ):
            request(made, 4)
        request(made, 3)

    def test_shipped_units_by_a_setting(self, settings: Any) -> None:
        made = paid()
        shipping.ship(actor=STAFF, fulfillment_id=pack(made, 3).pk)
        assert refusal(made, *wanted(made, 1)) is TooManyToReturn
        settings.RETURN_AFTER = "shipped"
        request(made, 3)
        assert refusal(made, *wanted(made, 1)) is TooManyToReturn

    def test_shipped_and_picked_up_units_by_a_setting(self, settings: Any) -> None:
        """Two shipped, one of them of a kit with two pieces, one delivered after its shipment, one picked up."""
        settings.RETURN_AFTER = "shipped"
        made = paid((kit_of((2, 20), (1, 20), location=StockLocationFactory()), 5))
        first, second, third = (pack(made, 1).pk for _ in range(3))
        for fulfillment_id in (first, second):
            shipping.ship(actor=STAFF, fulfillment_id=fulfillment_id)
        for fulfillment_id in (second, third):
            delivery.deliver(actor=STAFF, fulfillment_id=fulfillment_id)
        with pytest.raises(TooManyToReturn, match=r"3 can still be returned"):
            request(made, 4)
        request(made, 3)

    def test_the_same_units_again_also_after_their_receipt(self) -> None:
        made = delivered()
        first = request(made, 4)
        assert refusal(made, *wanted(made, 2)) is TooManyToReturn
        receive(first, (3, 1))
        assert refusal(made, *wanted(made, 2)) is TooManyToReturn
        request(made, 1)

    @pytest.mark.parametrize("quantity", [0, -1])
    def test_less_than_one(self, quantity: int) -> None:
        made = delivered()
        assert refusal(made, NewReturnItem(lines(made)[0].pk, quantity)) is QuantityTooSmall

    def test_items_that_are_no_items(self) -> None:
        made, other = delivered(), delivered()
        [line], [foreign] = lines(made), lines(other)
        assert refusal(made) is NothingToReturn
        assert refusal(made, NewReturnItem(foreign.pk, 1)) is ItemsNotInOrder
        assert refusal(made, NewReturnItem("\0", 1)) is ItemsNotInOrder
        assert refusal(made, NewReturnItem(line.pk, 1), NewReturnItem(line.pk, 1)) is DuplicateItem

    def test_reasons(self) -> None:
        made = delivered()
        parent = return_reason()
        child = return_reason(parent_return_reason=parent)
        for unknown in ("rr_none", "\0"):
            assert refusal(made, *wanted(made, 1, reason_id=unknown)) is UnknownReturnReason
        assert refusal(made, *wanted(made, 1, reason_id=parent.pk)) is ReasonHasNested
        child.deleted_at = now()
        child.save()
        assert refusal(made, *wanted(made, 1, reason_id=child.pk)) is UnknownReturnReason
        creation.request(actor=STAFF, order_id=made.pk, items=wanted(made, 1, reason_id=parent.pk))

    def test_gift_cards(self) -> None:
        made = delivered((gift(), 1))
        assert refusal(made, *wanted(made, 1)) is GiftCardLine

    @pytest.mark.parametrize("details", [{"note": "x" * 1001}, {"internal_note": "\0"}, {"metadata": {"a": "\0"}}])
    def test_texts(self, details: dict[str, Any]) -> None:
        made = delivered()
        with pytest.raises(InvalidData, match=f"'{next(iter(details))}'"):
            request(made, 1, details=ReturnDetails(**details))

    def test_an_unknown_location(self) -> None:
        made = delivered()
        assert refusal(made, *wanted(made, 1), details=ReturnDetails(location_id="sloc_none")) is UnknownLocation
        request(made, 1, details=ReturnDetails(location_id=StockLocationFactory().pk))


class TestPermissions:
    def test_a_guest_by_the_id_and_a_customer_their_own(self, ann: Customer, bob: Customer) -> None:
        for_guest, for_ann = delivered(), delivered(customer=ann)
        assert request(for_guest, 1, actor=shopper()).created_by is None
        assert request(for_ann, 1, actor=shopper(customer_id=ann.pk)).created_by is None
        for stranger in (shopper(), shopper(customer_id=bob.pk), Actor("anonymous", None, ("sc_other",))):
            assert refusal(for_ann, *wanted(for_ann, 1), actor=stranger) is OrderNotFound

    def test_staff_with_the_permission_to_add_returns(self) -> None:
        made = delivered()
        assert refusal(made, *wanted(made, 1), actor=staff_actor("orders.change_return")) is Forbidden
        assert request(made, 1, actor=staff_actor("orders.add_return")).created_by == "user_01TEST"

    def test_the_window_applies_to_customers_and_not_to_staff(self, settings: Any) -> None:
        made = delivered()
        settings.RETURN_WINDOW_DAYS = 14
        request(made, 1, actor=shopper())
        Fulfillment.objects.filter(order=made).update(delivered_at=now() - timedelta(days=14, seconds=1))
        assert refusal(made, *wanted(made, 1), actor=shopper()) is WindowClosed
        request(made, 1)
        settings.RETURN_WINDOW_DAYS = 0
        request(made, 1, actor=shopper())


class TestCancellation:
    def test_its_units_can_be_returned_again(self) -> None:
        made = delivered()
        returned = request(made, 5)
        cancellation.cancel(actor=STAFF, return_id=returned.pk)
        returned.refresh_from_db()
        assert (returned.status, returned.canceled_at is None) == ("canceled", False)
        assert books(made) == ([(0, 0, 0)], [5], [])
        [line] = lines(made)
        assert (line.total, line.refundable_total, line.refundable_total_per_unit) == (50, 50, 10)
        request(made, 5)

    def test_not_twice_and_not_once_something_was_received(self) -> None:
        made = delivered()
        first, second = request(made, 1), request(made, 2)
        cancellation.cancel(actor=SYSTEM, return_id=first.pk)
        receive(second, 1)
        for returned, error in ((first, ReturnAlreadyCanceled), (second, ReceiptBegun)):
            with pytest.raises(error):
                cancellation.cancel(actor=STAFF, return_id=returned.pk)
        assert books(made).counters == [(1, 1, 0)]

    def test_by_staff_with_the_permission(self) -> None:
        returned = request(delivered((sold_variant(10), 1)), 1)
        with pytest.raises(Forbidden):
            cancellation.cancel(actor=staff_actor("orders.add_return"), return_id=returned.pk)
        for unknown in ("return_none", "\0"):
            with pytest.raises(ReturnNotFound):
                cancellation.cancel(actor=STAFF, return_id=unknown)
