"""Completing and archiving orders."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from orders.fulfillments import delivery, shipping
from orders.managing import archiving, cancellation, completion
from orders.models import Order, OrderLineItem, OrderNote
from orders.returns import creation, preparation
from payments.models import Payment
from payments.movements import capturing
from tests.factories.checkout import checked_out_cart, stocked
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import events, ordered, pack
from tests.orders.managing.shop import history, is_clean, refusal, staff, statuses
from tests.orders.placed import gift

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ann(transactional_db: None) -> Actor:
    return staff()


def capture(order: Order, amount: int | None = None) -> None:
    payment = Payment.objects.get(collection__order_id=order.pk)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=None if amount is None else Decimal(amount))


def complete(order: Order, actor: Actor, **given: Any) -> None:
    completion.complete(actor=actor, order_id=order.pk, **given)


def test_a_delivered_and_captured_order_is_completed(ann: Actor) -> None:
    order = ordered()
    capture(order)
    delivery.deliver(actor=ann, fulfillment_id=pack(order, 5).pk)
    complete(order, ann)
    assert statuses(order) == ("completed", "captured", "delivered")
    assert order.version == 4
    assert events(order)[-1] == ("order.completed", order.pk)
    assert (history(order), OrderNote.objects.count()) == (["Completed."], 0)
    assert is_clean()


def test_gift_cards_need_no_delivery(ann: Actor) -> None:
    order = ordered((gift(20), 2))
    capture(order)
    pack(order, 2)
    complete(order, ann)
    assert statuses(order)[::2] == ("completed", "fulfilled")


def test_what_is_pending_is_named(ann: Actor) -> None:
    order = ordered()
    start = "The order cannot be completed without a note: "
    asked = {"actor": ann, "order_id": order.pk}
    assert refusal(completion.complete, **asked) == (
        "not_allowed",
        f"{start}not all items are delivered; $55.00 has not been captured",
    )
    delivery.deliver(actor=ann, fulfillment_id=pack(order, 5).pk)
    capture(order, 20)
    assert refusal(completion.complete, **asked)[1] == f"{start}$35.00 has not been captured"
    capture(order)
    prepared = creation.begin(actor=SYSTEM, order_id=order.pk)
    assert refusal(completion.complete, **asked)[1] == f"{start}a return is being prepared"
    preparation.discard(actor=SYSTEM, return_id=prepared)
    OrderLineItem.objects.filter(order=order).update(return_requested_quantity=1)
    assert refusal(completion.complete, **asked)[1] == f"{start}a return has not been fully received"
    assert statuses(order)[0] == "pending"


def test_a_note_completes_an_unfinished_order(ann: Actor) -> None:
    order = ordered()
    complete(order, ann, note="Paid in cash")
    assert statuses(order)[0] == "completed"
    note = OrderNote.objects.get()
    assert (note.order_id, note.text, note.created_by) == (order.pk, "Paid in cash", ann.id)
    other = ordered()
    assert refusal(completion.complete, actor=ann, order_id=other.pk, note=" ") == (
        "invalid_data",
        "Value for field 'note' must not be blank",
    )


def test_complete_and_archive_in_every_status(ann: Actor) -> None:
    """Complete and archive, each in every status."""
    canceled = "Order with id {} has been canceled."
    cases: list[tuple[Callable[[Order], None], str, str | None, str | None]] = [
        (lambda order: None, "pending", None, "The order is pending and cannot become archived"),
        (
            lambda order: complete(order, ann, note="Now"),
            "completed",
            "The order is completed and cannot become completed",
            None,
        ),
        (lambda order: cancellation.cancel(actor=ann, order_id=order.pk), "canceled", canceled, None),
    ]
    for begin, status, not_completed, not_archived in cases:
        order = ordered()
        begin(order)
        assert statuses(order)[0] == status
        if not_completed is not None:
            assert refusal(completion.complete, actor=ann, order_id=order.pk)[1] == not_completed.format(order.pk)
        if not_archived is not None:
            assert refusal(archiving.archive, actor=ann, order_id=order.pk)[1] == not_archived
            continue
        archiving.archive(actor=ann, order_id=order.pk)
        assert statuses(order)[0] == "archived"
        assert (events(order)[-1], history(order)[-1]) == (("order.archived", order.pk), "Archived.")
        again = "The order is archived and cannot become archived"
        assert refusal(archiving.archive, actor=ann, order_id=order.pk)[1] == again
        assert refusal(completion.complete, actor=ann, order_id=order.pk)[1] == (
            canceled.format(order.pk) if status == "canceled" else "The order is archived and cannot become completed"
        )


def test_permission_and_unknown_orders(ann: Actor) -> None:
    order = ordered((stocked(5), 1))
    clerk = Actor("user", ann.id, permitted=lambda permission: permission != "orders.change_order")
    for verb in (completion.complete, archiving.archive):
        with pytest.raises(Forbidden, match=r"orders\.change_order"):
            verb(actor=clerk, order_id=order.pk)
        assert refusal(verb, actor=ann, order_id="order_none")[0] == "not_found"


def test_gift_cards_may_be_marked_as_delivered(ann: Actor) -> None:
    order = ordered((gift(20), 2))
    capture(order)
    delivery.deliver(actor=ann, fulfillment_id=pack(order, 2).pk)
    complete(order, ann)
    assert statuses(order)[::2] == ("completed", "delivered")


def test_a_free_order_is_packed_shipped_and_completed(ann: Actor) -> None:
    """Case 18: nothing was ever due."""
    order = order_of(checked_out_cart(stocked(5, amount=0), shipping=0))
    parcel = pack(order, 1)
    shipping.ship(actor=ann, fulfillment_id=parcel.pk)
    delivery.deliver(actor=ann, fulfillment_id=parcel.pk)
    complete(order, ann)
    assert statuses(order) == ("completed", "captured", "delivered")
    assert is_clean()


def test_a_free_order_is_canceled(ann: Actor) -> None:
    """Case 18."""
    order = order_of(checked_out_cart(stocked(5, amount=0), shipping=0))
    cancellation.cancel(actor=ann, order_id=order.pk)
    assert statuses(order) == ("canceled", "canceled", "canceled")
    assert is_clean()
