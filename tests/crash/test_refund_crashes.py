"""A process that refunds an order may be killed between any two steps: each part is refunded once, or none is."""

import signal
from decimal import Decimal

import pytest

from giftcards.models import StoreCreditAccount
from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from orders.models import GrantedRefund, Order
from payments.models import Intent
from payments.states import Act
from tests.crash.interrupted_payments import PROVIDER
from tests.crash.interrupted_refunds import POINTS, UNRECORDED, UNSENT, refund, refunding_killed_at
from tests.crash.journal_provider import Journal
from tests.crash.wishes import finish
from tests.factories.checkout import stocked
from tests.factories.customers import CustomerFactory
from tests.orders.refunds.shop import account_of, paid_order, parts, payment_of, sums
from tests.orders.returns.shop import delivered, receive, request
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("point", sampled(POINTS))
def test_it_is_repeated(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = paid_order(card=7, provider_id=PROVIDER)
    assert refunding_killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    assert GrantedRefund.objects.count() == (point != UNRECORDED)
    refund(order.pk)
    check_refunded_once(order, journal)


@pytest.mark.parametrize("point", sampled(POINTS[1:]))
def test_the_worker_finishes_it(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = paid_order(card=7, provider_id=PROVIDER)
    assert refunding_killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    finish()
    check_refunded_once(order, journal)
    refund(order.pk)
    check_refunded_once(order, journal)


@pytest.mark.parametrize("point", [UNRECORDED, UNSENT])
def test_store_credit_is_given_once(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    """In the place of a refund to the payment: no provider has to be asked."""
    order = paid_order(customer=CustomerFactory(has_account=True), provider_id=PROVIDER)
    killed = refunding_killed_at(point, order.pk, process_environment, to_store_credit=True)
    assert killed == -signal.SIGKILL
    if point == UNRECORDED:
        assert not StoreCreditAccount.objects.exclude(credits=0).exists()
        refund(order.pk, to_store_credit=True)
    for _ in range(2):
        finish()
        order.refresh_from_db()
        assert sums(order) == (0, 30, 30, "captured", 0)
        assert StoreCreditAccount.objects.get().balance == 30
        assert journal.asked(payment_of(order).session_id)[Act.REFUND] == 0
        assert Mail.objects.filter(kind="order_refunded").count() == 1
        assert list(discrepancies()) == []
        refund(order.pk, to_store_credit=True)


@pytest.mark.parametrize("point", sampled(POINTS, start=1))
def test_a_return_is_refunded_once(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = delivered((stocked(5, 30), 2))
    returned = request(order, 1)
    receive(returned, 1)
    granted = GrantedRefund.objects.filter(return_id=returned.pk)
    killed = refunding_killed_at(point, order.pk, process_environment, return_id=returned.pk)
    assert killed == -signal.SIGKILL
    if point == UNRECORDED:
        order.refresh_from_db()
        assert (sums(order)[-1], granted.count()) == (-30, 0)
        refund(order.pk, return_id=returned.pk)
    for _ in range(2):
        finish()
        order.refresh_from_db()
        assert sums(order) == (30, 0, 0, "partially_refunded", 0)
        assert parts(granted.get()) == [(payment_of(order).pk, 30)]
        done = journal.done(payment_of(order).session_id)
        assert [amount for act, amount in done if act == Act.REFUND] == [30]
        assert Mail.objects.filter(kind="order_refunded").count() == 1
        assert list(discrepancies()) == []
        refund(order.pk, return_id=returned.pk)


def check_refunded_once(order: Order, journal: Journal) -> None:
    order.refresh_from_db()
    assert sums(order) == (28, 2, 30, "refunded", 0)
    done = journal.done(payment_of(order).session_id)
    assert [amount for act, amount in done if act == Act.REFUND] == [Decimal(28)]
    assert account_of(order).balance == 2
    assert Mail.objects.filter(kind="order_refunded").count() == 2
    assert not Intent.objects.filter(done_at=None).exists()
    assert list(discrepancies()) == []
