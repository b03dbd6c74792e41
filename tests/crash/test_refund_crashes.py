"""A process that refunds an order may be killed between any two steps: each part is refunded once, or none is."""

import signal
from decimal import Decimal

import pytest

from commerce.kit.mails.models import Mail
from giftcards.verification import discrepancies
from orders.models import GrantedRefund, Order
from payments.models import Intent
from payments.states import Act
from tests.crash.interrupted_payments import PROVIDER
from tests.crash.interrupted_refunds import POINTS, UNRECORDED, refund, refunding_killed_at
from tests.crash.journal_provider import Journal
from tests.crash.wishes import finish
from tests.orders.refunds.shop import account_of, paid_order, payment_of, sums

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("point", POINTS)
def test_it_is_repeated(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = paid_order(card=7, provider_id=PROVIDER)
    assert refunding_killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    assert GrantedRefund.objects.count() == (point != UNRECORDED)
    refund(order.pk)
    check_refunded_once(order, journal)


@pytest.mark.parametrize("point", POINTS[1:])
def test_the_worker_finishes_it(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = paid_order(card=7, provider_id=PROVIDER)
    assert refunding_killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    finish()
    check_refunded_once(order, journal)
    refund(order.pk)
    check_refunded_once(order, journal)


def check_refunded_once(order: Order, journal: Journal) -> None:
    order.refresh_from_db()
    assert sums(order) == (28, 2, 30, "refunded", 0)
    done = journal.done(payment_of(order).session_id)
    assert [amount for act, amount in done if act == Act.REFUND] == [Decimal(28)]
    assert account_of(order).balance == 2
    assert Mail.objects.filter(kind="order_refunded").count() == 2
    assert not Intent.objects.filter(done_at=None).exists()
    assert list(discrepancies()) == []
