"""Canceling an order that was refunded in part before."""

import pytest

from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.managing.cancellation import cancel
from payments.models import Intent
from payments.requests.intents import carry_out
from tests.factories.customers import CustomerFactory
from tests.orders.refunds.shop import paid_order, parts, payment_of, refund, sums

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake")]


@pytest.mark.parametrize(
    ("amount", "to_store_credit", "returned"),
    [(30, False, (28, 7)), (10, True, (25, 10)), (35, True, (0, 35))],
)
def test_35_the_remaining_amount_is_refunded(amount: int, to_store_credit: bool, returned: tuple[int, int]) -> None:
    order = paid_order(credit=7, customer=CustomerFactory(has_account=True))
    payment = payment_of(order)
    refund(order, amount, to_store_credit=to_store_credit)
    cancel(actor=SYSTEM, order_id=order.pk)
    for intent in Intent.objects.filter(done_at=None):
        carry_out(intent.pk, is_waiting=False)
    order.refresh_from_db()
    payment.refresh_from_db()
    assert (order.refunded_total, order.credit_refunded_total, order.allowance_total) == (*returned, amount)
    assert (sum(order.refunds.values_list("amount", flat=True)), sums(order)[-1]) == (35, 0)
    assert {target for made in order.refunds.all() for target, _ in parts(made)} <= {
        payment.pk,
        *order.customer.store_credit_accounts.values_list("pk", flat=True),
    }
    assert list(discrepancies()) == []
