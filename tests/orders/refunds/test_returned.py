"""Refunding received goods, after the receipt. Carries a part of case 33 of orders.md, section 6."""

import pytest

from giftcards.verification import discrepancies
from orders.summary import pending_difference_of
from tests.orders.refunds.shop import refund
from tests.orders.returns.shop import delivered, receive, request

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
