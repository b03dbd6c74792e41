"""A process that refuses a changed total may be killed between any two steps: the next call orders at the new total."""

import signal
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial

import pytest

from carts.models import Cart
from catalog.models import Price
from orders.completion import completing
from orders.models import Order
from payments.models import Intent, Payment, PaymentSession
from payments.requests import intents
from payments.states import Act
from tests.crash.checkouts import DUE, answered, checkout, work_off
from tests.crash.interrupted_completions import Checkout, request
from tests.crash.interrupted_payments import after_it, before_it, exit_code
from tests.crash.journal_provider import ASKED, DONE, Journal, journal
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)
NEW = DUE + 10
UNCOMMITTED = "the refusal is made and not committed"
TRAPS: Mapping[str, Callable[[], None]] = {
    UNCOMMITTED: partial(after_it, completing, "refreshed"),
    "the refusal is committed and the provider not asked": partial(before_it, completing, "bring_to_amount"),
    "the provider is asked and has done nothing": lambda: journal().set_trap(ASKED),
    "the provider has changed the amount and not answered": lambda: journal().set_trap(DONE),
    "the report is recorded and not committed": partial(after_it, intents, "record"),
    "the report is committed and nobody answered": partial(after_it, completing, "bring_to_amount"),
}


def killed_at(point: str, environment: Mapping[str, str]) -> Checkout:
    """A checkout whose goods became dearer by 10, and whose completion was killed there."""
    wanted = checkout()
    Price.objects.filter(amount=50).update(amount=60)
    assert exit_code(partial(_complete_until, point, wanted), environment) == -signal.SIGKILL
    assert Cart.objects.get().total == (DUE if point == UNCOMMITTED else NEW)
    return wanted


def _complete_until(point: str, wanted: Checkout) -> None:
    TRAPS[point]()
    request(wanted)


def check_ordered_and_paid_once(journal: Journal, wanted: Checkout, point: str) -> None:
    if point == UNCOMMITTED:
        assert answered(wanted)["details"]["total"] == NEW
    answer = answered(wanted)
    assert (answer["type"], answer["order"]["total"]) == ("order", NEW)
    work_off()
    assert Order.objects.get().total == NEW
    (session,) = PaymentSession.objects.all()
    assert journal.done(session.pk) == [(Act.START, None), (Act.UPDATE, NEW), (Act.AUTHORIZE, None)]
    assert (session.amount, Payment.objects.get().authorized_amount) == (NEW, NEW)
    assert not Intent.objects.filter(done_at=None).exists()


@pytest.mark.parametrize("point", sampled(TRAPS))
def test_a_repeated_call_orders_at_the_new_total(
    process_environment: dict[str, str], journal: Journal, point: str
) -> None:
    wanted = killed_at(point, process_environment)
    check_ordered_and_paid_once(journal, wanted, point)


@pytest.mark.parametrize("point", sampled(TRAPS, start=1))
def test_the_worker_tells_the_provider_the_new_amount(
    process_environment: dict[str, str], journal: Journal, point: str
) -> None:
    wanted = killed_at(point, process_environment)
    work_off()
    amount = Decimal(DUE if point == UNCOMMITTED else NEW)
    assert PaymentSession.objects.get().amount == amount
    check_ordered_and_paid_once(journal, wanted, point)
