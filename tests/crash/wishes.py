"""What is asked of the provider that keeps a journal, and how it must end: done once, by its account and by ours."""

import time
from collections import Counter
from decimal import Decimal

from kit.errors import NotAllowed
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, Refund
from payments.requests import intents
from payments.states import Act, Result
from tests.crash.interrupted_payments import CAPTURED, REFUNDED, Wish, ask
from tests.crash.journal_provider import Journal
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key

KEY = "a-key-of-this-one-request"
WAIT_SECONDS = 20.0
_LOOK_SECONDS = 0.05
_BEFORE: dict[Act, list[tuple[Act, Decimal | None]]] = {
    Act.START: [],
    Act.AUTHORIZE: [(Act.START, None)],
    Act.CAPTURE: [(Act.START, None), (Act.AUTHORIZE, None)],
    Act.REFUND: [(Act.START, None), (Act.AUTHORIZE, None), (Act.CAPTURE, Decimal(100))],
    Act.CANCEL: [(Act.START, None), (Act.AUTHORIZE, None)],
}
_ENDS = {
    Act.START: ("awaiting", "pending", 0),
    Act.AUTHORIZE: ("authorized", "authorized", 1),
    Act.CAPTURE: ("partially_captured", "authorized", 1),
    Act.REFUND: ("completed", "captured", 1),
    Act.CANCEL: ("canceled", "canceled", 0),
}
"""How collection and session stand then, and how many payments are not canceled."""
_MOVED = {Act.CAPTURE: CAPTURED, Act.REFUND: REFUNDED}


ACTS = [act for act in Act if act != Act.UPDATE]
"""The acts that a wish can be for. test_changed_total_crashes.py has those that change an amount."""


def wish_for(act: Act) -> Wish:
    """One that can be fulfilled: all that goes before is done."""
    subject = {
        Act.START: lambda: make.collection(amount=100),
        Act.AUTHORIZE: lambda: make.session(amount=100),
        Act.CAPTURE: lambda: make.authorized_payment(100),
        Act.REFUND: lambda: make.captured_payment(100),
        Act.CANCEL: lambda: make.authorized_payment(100).collection,
    }[act]()
    return Wish(act, subject.pk, KEY, publishable_key().token)


def finish() -> None:
    """What the background worker comes to, in its time."""
    deadline = time.monotonic() + WAIT_SECONDS
    while Intent.objects.filter(done_at=None).exists():
        assert time.monotonic() < deadline
        intents.resume_all()
        time.sleep(_LOOK_SECONDS)


def ask_again(wish: Wish) -> None:
    """A storefront is answered 200, twice the same; clerks who ask for what is done already get the same answer."""
    if wish.act != Act.START:
        try:
            ask(wish)
        except NotAllowed:
            assert wish.act in (Act.AUTHORIZE, Act.CANCEL)
        return
    first, second = ask(wish), ask(wish)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (second.json(), second.headers["Idempotent-Replayed"]) == (first.json(), "true")
    (session,) = first.json()["payment_collection"]["payment_sessions"]
    assert (session["amount"], session["status"]) == (100, "pending")


def check_done_once(wish: Wish, journal: Journal, *, times_asked: int) -> None:
    """The wish, and before it what wish_for has had done."""
    session, collection = PaymentSession.objects.get(), PaymentCollection.objects.get()
    done = [*_BEFORE[wish.act], (wish.act, _MOVED.get(wish.act))]
    assert journal.done(session.pk) == done
    assert journal.asked(session.pk)[wish.act] == times_asked
    assert list(Intent.objects.order_by("pk").values_list("act", "result")) == [(act, Result.DONE) for act, _ in done]
    sums = Counter({act: amount for act, amount in done if amount})
    assert (collection.captured_amount, collection.refunded_amount) == (sums[Act.CAPTURE], sums[Act.REFUND])
    assert list(Capture.objects.values_list("amount", flat=True)) == _amounts(done, Act.CAPTURE)
    assert list(Refund.objects.values_list("amount", flat=True)) == _amounts(done, Act.REFUND)
    stands = (collection.status, session.status, Payment.objects.filter(canceled_at=None).count())
    assert stands == _ENDS[wish.act]


def _amounts(done: list[tuple[Act, Decimal | None]], wanted: Act) -> list[Decimal | None]:
    return [amount for act, amount in done if act == wanted]
