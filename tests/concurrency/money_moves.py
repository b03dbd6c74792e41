"""Money of one payment that many threads move at once, thirty each, and what must hold then."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from decimal import Decimal
from functools import partial

import orjson
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.errors import Conflict, NotAllowed
from payments.errors import NothingToCapture, NothingToRefund
from payments.lifecycle import cancellation
from payments.models import Capture, Intent, Payment, PaymentCollection, Refund
from payments.movements import capturing, refunding
from payments.requests.events import receive_event
from payments.requests.intents import resume_all
from payments.states import Act
from tests.concurrency import crowd
from tests.concurrency.payment_providers import ASKING_SECONDS
from tests.crash.journal_provider import Journal

_TRIES = 20


def at_once(work: Callable[[int], str], *, number: int) -> Counter[str]:
    """How often so many threads came to each outcome."""
    return Counter(crowd.at_once(work, threads=number))


def capture(payment: Payment, *, idempotency_digest: str) -> str:
    return outcome(partial(capturing.capture, payment_id=payment.pk, idempotency_digest=idempotency_digest))


def refund(payment: Payment, *, idempotency_digest: str) -> str:
    return outcome(partial(refunding.refund, payment_id=payment.pk, idempotency_digest=idempotency_digest))


def cancel(payment: Payment) -> str:
    """Of the whole collection."""
    try:
        cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)
    except NotAllowed:
        return "refused"
    return "canceled"


def tell_captured(payment: Payment) -> str:
    """That thirty were, as its provider tells it: each time the same event."""
    body = orjson.dumps({"id": "evt_1", "session": payment.session_id, "captured": "30"})
    receive_event(provider_id=payment.provider_id, body=body, headers={})
    return "reported"


def outcome(move: Callable[..., None]) -> str:
    """Of moving thirty. A request that meets another one is repeated when that may have ended."""
    for _ in range(_TRIES):
        try:
            move(actor=SYSTEM, amount=Decimal(30))
        except Conflict:
            time.sleep(ASKING_SECONDS)
            continue
        except (NothingToCapture, NothingToRefund):
            return "refused"
        return "done"
    raise AssertionError("others are asked for all the time")


def check_moved(
    journal: Journal,
    payment: Payment,
    *,
    captured: Sequence[int],
    refunded: Sequence[int] = (),
    is_over: bool = False,
) -> None:
    """So much, by the provider's account and by ours. is_over: whether the session was canceled."""
    acts = [Act.START, Act.AUTHORIZE, *([Act.CANCEL] if is_over else [])]
    moved = [*((Act.CAPTURE, Decimal(each)) for each in captured), *((Act.REFUND, Decimal(each)) for each in refunded)]
    assert Counter(journal.done(payment.session_id)) == Counter([*((act, None) for act in acts), *moved])
    payment.refresh_from_db()
    collection = PaymentCollection.objects.get()
    sums = (sum(captured), sum(refunded))
    assert (payment.captured_amount, payment.refunded_amount) == sums
    assert (collection.captured_amount, collection.refunded_amount) == sums
    assert sorted(Capture.objects.values_list("amount", flat=True)) == sorted(captured)
    assert sorted(Refund.objects.values_list("amount", flat=True)) == sorted(refunded)
    assert not Intent.objects.filter(done_at=None).exists()


def let_the_worker_work(settings: Settings) -> None:
    """At once: whatever is still open counts as left."""
    settings.PAYMENT_PATIENCE = timedelta(0)
    while Intent.objects.filter(done_at=None).exists():
        assert resume_all()
