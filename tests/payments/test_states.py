"""The lives of sessions and collections, as tables and as they are lived."""

from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import NotAllowed
from payments.lifecycle import cancellation
from payments.models import Payment, PaymentCollection, PaymentSession
from payments.movements import capturing
from payments.providers.base import Declined, ProviderReport
from payments.requests import events
from payments.sessions import authorization
from payments.states import COLLECTIONS, ENDED, SESSIONS, Act, CollectionStatus, SessionStatus, collection_status
from tests.factories import payments as make
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event

LIVES: dict[str, str] = {
    "pending": "requires_more pending_authorization authorized error canceled",
    "requires_more": "pending pending_authorization authorized error canceled",
    "pending_authorization": "pending requires_more authorized error canceled",
    "error": "pending requires_more pending_authorization authorized canceled",
    "authorized": "captured canceled",
    "captured": "",
    "canceled": "captured",
}
UNPAID = "not_paid awaiting failed canceled partially_authorized authorized".split()
EVERYTHING = [*UNPAID, "partially_captured", "completed"]
PAYING: dict[str, str] = {
    **{status: " ".join(set(EVERYTHING) - {status}) for status in UNPAID},
    "partially_captured": "completed",
    "completed": "partially_captured",
}


@pytest.mark.parametrize(("before", "after"), list(product(LIVES, LIVES)))
def test_a_session_moves_as_its_table_says(before: str, after: str) -> None:
    if after in LIVES[before].split():
        SESSIONS.check(before=before, after=after)
    else:
        with pytest.raises(NotAllowed, match=rf"^The payment session is {before} and cannot become {after}$"):
            SESSIONS.check(before=before, after=after)


@pytest.mark.parametrize(("before", "after"), list(product(PAYING, PAYING)))
def test_a_collection_moves_as_its_table_says(before: str, after: str) -> None:
    if after in PAYING[before].split():
        COLLECTIONS.check(before=before, after=after)
    else:
        with pytest.raises(NotAllowed, match=rf"^The payment collection is {before} and cannot become {after}$"):
            COLLECTIONS.check(before=before, after=after)


def test_the_tables_know_every_status_and_no_other() -> None:
    assert set(LIVES) == SESSIONS.states == set(SessionStatus.values)
    assert set(PAYING) == COLLECTIONS.states == set(CollectionStatus.values)
    assert {"captured", "canceled"} == ENDED


DECISIONS: list[tuple[int, int, int, str, str, str]] = [
    # amount, authorized, captured, statuses of sessions, before, after
    (50, 0, 0, "", "not_paid", "not_paid"),
    (50, 0, 0, "", "awaiting", "not_paid"),
    (50, 0, 0, "", "failed", "not_paid"),
    (50, 0, 0, "", "authorized", "not_paid"),
    (50, 0, 0, "", "partially_authorized", "not_paid"),
    (50, 0, 0, "", "canceled", "canceled"),
    (50, 0, 0, "pending", "not_paid", "awaiting"),
    (50, 0, 0, "pending", "canceled", "awaiting"),
    (50, 0, 0, "pending", "failed", "awaiting"),
    (50, 0, 0, "requires_more", "awaiting", "awaiting"),
    (50, 0, 0, "pending_authorization", "awaiting", "awaiting"),
    (50, 0, 0, "error", "awaiting", "failed"),
    (50, 0, 0, "error", "canceled", "failed"),
    (50, 0, 0, "error pending", "failed", "awaiting"),
    (50, 50, 0, "authorized", "awaiting", "authorized"),
    (50, 60, 0, "authorized", "awaiting", "authorized"),
    (50, 49, 0, "authorized", "awaiting", "partially_authorized"),
    (50, 0, 0, "authorized", "awaiting", "partially_authorized"),
    (0, 0, 0, "authorized", "awaiting", "authorized"),
    (0, 0, 0, "", "not_paid", "not_paid"),
    (0, 0, 0, "pending", "not_paid", "awaiting"),
    (50, 50, 1, "authorized", "authorized", "partially_captured"),
    (50, 50, 49, "captured", "authorized", "partially_captured"),
    (50, 50, 50, "captured", "authorized", "completed"),
    (50, 60, 60, "captured", "authorized", "completed"),
    (70, 50, 50, "captured", "completed", "partially_captured"),
    (40, 50, 50, "captured", "partially_captured", "completed"),
    (70, 50, 50, "captured pending", "partially_captured", "partially_captured"),
    (70, 70, 50, "captured authorized", "partially_captured", "partially_captured"),
    (70, 50, 50, "captured error", "partially_captured", "partially_captured"),
    (50, 50, 50, "", "canceled", "completed"),
    (50, 50, 20, "", "canceled", "partially_captured"),
    (0, 50, 50, "captured", "completed", "completed"),
]


@pytest.mark.parametrize("case", DECISIONS, ids=str)
def test_how_far_a_cart_is_paid_follows_from_its_amounts_and_sessions(
    case: tuple[int, int, int, str, str, str],
) -> None:
    amount, authorized, captured, sessions, before, after = case
    decided = collection_status(
        before=CollectionStatus(before),
        amount=amount,
        authorized=authorized,
        captured=captured,
        sessions=[SessionStatus(each) for each in sessions.split()],
    )
    assert decided == after
    assert decided == before or after in PAYING[before].split()


Lived = tuple[PaymentSession, PaymentCollection]


def lived(session: PaymentSession) -> Lived:
    """Both as they are stored now."""
    return PaymentSession.objects.get(pk=session.pk), PaymentCollection.objects.get(pk=session.collection_id)


def ask(fake: FakeProvider, act: Act, *answers: Any) -> PaymentSession:
    """A new session over 50 dollars, with what the provider says of it."""
    fake.says(act, *answers)
    session = make.session(provider_id=FAKE)
    if act != Act.START:
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
    return session


@pytest.mark.parametrize("act", [Act.START, Act.AUTHORIZE])
@pytest.mark.parametrize(
    ("status", "paid"),
    [
        ("pending", "awaiting"),
        ("requires_more", "awaiting"),
        ("pending_authorization", "awaiting"),
        ("authorized", "authorized"),
        ("captured", "completed"),
        ("error", "failed"),
        ("canceled", "not_paid"),
    ],
)
class TestEveryStatusIsReached:
    def test_by_what_the_provider_answers(self, fake: FakeProvider, act: Act, status: str, paid: str) -> None:
        session, collection = lived(ask(fake, act, ProviderReport(SessionStatus(status))))
        assert (session.status, collection.status) == (status, paid)
        assert (session.deleted_at is not None) == (status == "canceled")
        assert (session.authorized_at is not None) == (status in ("authorized", "captured"))
        assert (collection.completed_at is not None) == (paid == "completed")
        money = Decimal(50) if status in ("authorized", "captured") else Decimal(0)
        assert (collection.authorized_amount, collection.captured_amount) == (
            money,
            money if status == "captured" else 0,
        )

    def test_by_what_it_tells_by_itself(self, fake: FakeProvider, act: Act, status: str, paid: str) -> None:
        session = make.session(provider_id=FAKE)
        reported = event("evt_1", session.pk, status=status)
        events.receive_event(provider_id=FAKE, body=reported, headers=SIGNED)
        session, collection = lived(session)
        assert (session.status, collection.status) == (status, paid)


@pytest.mark.parametrize("act", [Act.START, Act.AUTHORIZE])
def test_a_refusal_is_an_error_of_the_session(fake: FakeProvider, act: Act) -> None:
    with pytest.raises(Exception, match="The payment provider refused: No funds"):
        ask(fake, act, Declined("No funds"))
    session, collection = lived(PaymentSession.objects.get())
    assert (session.status, collection.status) == ("error", "failed")


def test_less_than_the_whole_may_be_promised_and_taken(fake: FakeProvider) -> None:
    session = ask(fake, Act.AUTHORIZE, ProviderReport(SessionStatus.AUTHORIZED, authorized=Decimal(30)))
    assert lived(session)[1].status == "partially_authorized"
    payment = Payment.objects.get(session=session)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(10))
    assert [each.status for each in lived(session)] == ["authorized", "partially_captured"]
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    assert [each.status for each in lived(session)] == ["captured", "partially_captured"]
    assert lived(session)[1].captured_amount == 30


def test_a_collection_is_canceled_and_may_be_paid_after_all(fake: FakeProvider) -> None:
    session = make.session(provider_id=FAKE)
    cancellation.cancel(actor=SYSTEM, collection_id=session.collection_id)
    assert [each.status for each in lived(session)] == ["canceled", "canceled"]
    again = make.session(session.collection, provider_id=FAKE)
    assert [each.status for each in lived(again)] == ["pending", "awaiting"]


def test_what_is_paid_cannot_be_canceled(fake: FakeProvider) -> None:
    for captured, status in ((20, "partially_captured"), (None, "completed")):
        payment = make.captured_payment(captured=captured)
        with pytest.raises(NotAllowed, match=rf"^The payment collection is {status} and cannot become canceled$"):
            cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)


@pytest.mark.parametrize("status", ["authorized", "captured", "canceled"])
def test_what_is_promised_taken_or_canceled_is_not_authorized_again(fake: FakeProvider, status: str) -> None:
    session = ask(fake, Act.AUTHORIZE, ProviderReport(SessionStatus(status)))
    refusal = (
        f"^Payment session with id: {session.pk} was not found$"
        if status == "canceled"
        else f"^The payment session is {status} and cannot become authorized$"
    )
    with pytest.raises(Exception, match=refusal):
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
    assert fake.asked == [Act.START, Act.AUTHORIZE]


FORBIDDEN = [(before, after) for before, after in product(LIVES, LIVES) if after not in LIVES[before].split()]


@pytest.mark.parametrize(("before", "after"), [pair for pair in FORBIDDEN if pair[0] != pair[1]])
def test_a_late_word_of_the_provider_moves_nothing_that_may_not_move(
    fake: FakeProvider, before: str, after: str
) -> None:
    session = make.session(provider_id=FAKE)
    first = event("evt_1", session.pk, status=before, data={"from": "first"})
    events.receive_event(provider_id=FAKE, body=first, headers=SIGNED)
    then, paid = lived(session)
    reported = event("evt_2", session.pk, status=after, data={"from": "late"})
    if after == "captured":  # money that has left is always recorded
        events.receive_event(provider_id=FAKE, body=reported, headers=SIGNED)
        assert lived(session)[0].status == "captured"
        return
    events.receive_event(provider_id=FAKE, body=reported, headers=SIGNED)
    now, still = lived(session)
    assert (now.status, now.data, now.deleted_at) == (before, {"from": "first"}, then.deleted_at)
    assert (still.status, still.authorized_amount, still.captured_amount) == (
        paid.status,
        paid.authorized_amount,
        paid.captured_amount,
    )
