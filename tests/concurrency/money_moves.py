"""Money of one payment that many threads move at once, thirty each, and what must hold then."""

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from commerce.core.actor import SYSTEM
from commerce.core.errors import Conflict
from payments import capturing, refunding
from payments.errors import NothingToCapture, NothingToRefund
from payments.models import Capture, Intent, Payment, PaymentCollection, Refund
from payments.states import Act
from tests.concurrency import crowd
from tests.crash.journal_provider import Journal

_TRIES = 20


def at_once(work: Callable[[int], str], *, number: int) -> Counter[str]:
    """How often so many threads came to each outcome."""
    return Counter(crowd.at_once(work, threads=number))


def capture(payment: Payment, *, key_mark: str) -> str:
    return outcome(partial(capturing.capture, payment_id=payment.pk, key_mark=key_mark))


def refund(payment: Payment, *, key_mark: str) -> str:
    return outcome(partial(refunding.refund, payment_id=payment.pk, key_mark=key_mark))


def outcome(move: Callable[..., None]) -> str:
    """Of moving thirty. Whoever has waited for others too long asks again."""
    for _ in range(_TRIES):
        try:
            move(actor=SYSTEM, amount=Decimal(30))
        except Conflict:
            continue
        except (NothingToCapture, NothingToRefund):
            return "refused"
        return "done"
    raise AssertionError("others are asked for all the time")


def check_moved(journal: Journal, payment: Payment, *, captured: list[int], refunded: Sequence[int] = ()) -> None:
    """So much, by the provider's account and by ours."""
    done = Counter(journal.done(payment.session_id))
    moved = Counter((Act.CAPTURE, Decimal(each)) for each in captured)
    assert done - Counter([(Act.START, None), (Act.AUTHORIZE, None)]) == moved + Counter(
        (Act.REFUND, Decimal(each)) for each in refunded
    )
    payment.refresh_from_db()
    collection = PaymentCollection.objects.get()
    sums = (sum(captured), sum(refunded))
    assert (payment.captured_amount, payment.refunded_amount) == sums
    assert (collection.captured_amount, collection.refunded_amount) == sums
    assert sorted(Capture.objects.values_list("amount", flat=True)) == sorted(captured)
    assert sorted(Refund.objects.values_list("amount", flat=True)) == sorted(refunded)
    assert not Intent.objects.filter(done_at=None).exists()
