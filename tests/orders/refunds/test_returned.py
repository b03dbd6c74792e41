"""Refunding received goods, after the receipt."""

import pytest

from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.common.summary import pending_difference_of
from orders.refunds.errors import ReturnNotRefundable
from orders.returns import cancellation, creation
from payments.models import Payment
from payments.movements import capturing
from tests.orders.refunds.shop import refund
from tests.orders.returns.shop import STAFF, delivered, receive, request

pytestmark = pytest.mark.django_db


def test_33_a_refund_of_received_goods_is_no_allowance() -> None:
    order = delivered()
    returned = request(order, 2)
    receive(returned, 2)
    order.refresh_from_db()
    assert (order.total, pending_difference_of(order)) == (35, -20)
    made = refund(order, 20, refund_reason_id=None, return_id=returned.pk)
    assert (made.allowance, made.return_id, pending_difference_of(order)) == (0, returned.pk, 0)
    assert (refund(order, 5).allowance, order.allowance_total, pending_difference_of(order)) == (5, 5, 0)
    assert list(discrepancies()) == []


def test_a_refund_ahead_of_the_receipt_is_owed_once() -> None:
    order = delivered()
    returned = request(order, 2)
    made = refund(order, 25, refund_reason_id=None, return_id=returned.pk)
    assert (made.allowance, pending_difference_of(order)) == (25, 0)
    receive(returned, 1)
    order.refresh_from_db()
    made.refresh_from_db()
    assert (made.allowance, order.allowance_total, pending_difference_of(order)) == (15, 15, 0)
    receive(returned, 1)
    order.refresh_from_db()
    made.refresh_from_db()
    assert (made.allowance, order.allowance_total, pending_difference_of(order)) == (5, 5, 0)
    assert refund(order, 20).allowance == 20
    assert list(discrepancies()) == []


def test_no_more_is_owed_than_is_left_of_what_was_paid() -> None:
    order = delivered()
    refund(order, 10)
    receive(request(order, 5), 5)
    order.refresh_from_db()
    assert (order.total, pending_difference_of(order)) == (5, -45)
    refund(order, 45)
    assert (order.payment_status, pending_difference_of(order)) == ("refunded", 0)


def test_only_a_return_that_was_requested_is_refunded() -> None:
    order = delivered()
    canceled = request(order, 1)
    cancellation.cancel(actor=STAFF, return_id=canceled.pk)
    prepared = creation.begin(actor=STAFF, order_id=order.pk)
    for return_id, status in ((canceled.pk, "canceled"), (prepared, "open")):
        with pytest.raises(ReturnNotRefundable, match=f"is {status} and cannot be refunded"):
            refund(order, 1, refund_reason_id=None, return_id=return_id)
    assert not order.refunds.exists()


def test_what_is_captured_after_a_return_is_what_is_due_then() -> None:
    order = delivered(captured=False)
    receive(request(order, 5), 5)
    [payment] = Payment.objects.filter(collection__order_id=order.pk)
    assert capturing.capturable_amount(payment) == 5
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    order.refresh_from_db()
    assert (order.paid_total, order.payment_status, pending_difference_of(order)) == (5, "captured", 0)
