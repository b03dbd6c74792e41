"""Whatever happens to a cart and its payments, what is kept of them is what the provider's own books say.

The provider keeps books by itself (tests/payments/providers.py); the rules are said again here in plain arithmetic.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Sum
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from carts.lines import line_change
from carts.models import Cart, LineItem
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from payments.lifecycle import cancellation
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing, refunding
from payments.providers.base import Declined, ProviderReport
from payments.requests import events, intents
from payments.sessions import authorization, starting
from payments.states import Act, SessionStatus
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.payments.providers import FAKE, OTHER, SIGNED, FakeProvider, event, switched_on
from tests.savepoints import undone
from tests.walks import walks

amounts = st.sampled_from([None, 1, 10, 20, 30, 50, 51, 150])
some = st.integers(0, 5)
is_heard = st.sampled_from([True, True, False])

Step = tuple[Any, ...]
BEFORE: list[list[Step]] = [
    [],
    [("start", FAKE, True), ("authorize", "whole", True)],
    [("start", FAKE, True), ("authorize", "whole", True), ("write_down", 0), ("capture", 0, 30, True)],
    [
        *(("start", FAKE, True), ("authorize", "part", True), ("write_down", 0)),
        *(("promise_more", 0), ("write_down", 0), ("tell", 1), ("capture", 0, 40, True)),
    ],
    [("start", FAKE, True), ("authorize", "whole", True), ("take_by_hand", 0, 20), ("write_down", 0)],
    [("start", FAKE, True), ("authorize", "taken", True), ("change_quantity", 3), ("start", OTHER, True)],
]
"""What has happened when a walk begins: little money moves in one that begins with nothing."""
STEPS = st.one_of(
    st.tuples(st.just("change_quantity"), st.integers(1, 3)),
    st.tuples(st.just("start"), st.sampled_from([FAKE, FAKE, OTHER]), is_heard),
    st.tuples(st.just("start"), st.just(FAKE), is_heard),
    st.tuples(st.just("authorize"), st.sampled_from(["whole", "whole", "part", "refused", "more", "taken"]), is_heard),
    st.tuples(st.just("authorize"), st.just("whole"), is_heard),
    st.tuples(st.just("capture"), some, amounts, is_heard),
    st.tuples(st.just("capture"), some, amounts, is_heard),
    st.tuples(st.just("refund"), some, amounts, is_heard),
    st.tuples(st.just("take_by_hand"), some, st.sampled_from([1, 10, 20])),
    st.tuples(st.just("promise_more"), some),
    st.tuples(st.just("cancel")),
    st.tuples(st.just("work")),
    st.tuples(st.just("write_down"), some),
    st.tuples(st.just("tell"), some),
    st.tuples(st.just("tell"), some),
)


class Shop:
    """One cart, a piece of which costs 50 dollars, and all that is done about paying it."""

    def __init__(self, fake: FakeProvider) -> None:
        self.fake = fake
        self.collection = make.collection(provider_id=FAKE)
        self.collection.cart.region.payment_providers.add(OTHER)
        self.promised: dict[str, Decimal] = {}
        self.events: list[bytes] = []

    @property
    def live(self) -> PaymentSession | None:
        return PaymentSession.objects.not_deleted().exclude(status="captured").first()

    def change_quantity(self, quantity: int) -> None:
        line = LineItem.objects.get()
        line_change.change(actor=shopper(), cart_id=line.cart_id, line_id=line.pk, quantity=quantity)

    def start(self, provider_id: str, heard: bool) -> None:
        self._hear(Act.START, heard)
        starting.start_session(actor=shopper(), collection_id=self.collection.pk, provider_id=provider_id)

    def authorize(self, outcome: str, heard: bool) -> None:
        session = self.live
        if session is None:
            return
        part = min(session.amount, Decimal(30))
        answers: dict[str, ProviderReport | Exception] = {
            "part": ProviderReport(SessionStatus.AUTHORIZED, authorized=part),
            "refused": Declined("No funds"),
            "more": ProviderReport(SessionStatus.REQUIRES_MORE),
            "taken": ProviderReport(SessionStatus.CAPTURED, captured=session.amount),
        }
        before = len(self.fake.asked)
        if outcome in answers:
            self.fake.says(Act.AUTHORIZE, answers[outcome])
        else:
            self._hear(Act.AUTHORIZE, heard)
        try:
            authorization.authorize(actor=SYSTEM, session_id=session.pk)
        finally:
            was_asked = Act.AUTHORIZE in self.fake.asked[before:]
            if was_asked and outcome in ("whole", "part", "taken"):
                self.promised[session.pk] = part if outcome == "part" else session.amount
            if was_asked and outcome == "taken" and session.amount:
                self.fake.taken[session.pk]["at once"] = session.amount

    def capture(self, number: int, amount: int | None, heard: bool) -> None:
        self._move(capturing.capture, Act.CAPTURE, number, amount, heard)

    def refund(self, number: int, amount: int | None, heard: bool) -> None:
        self._move(refunding.refund, Act.REFUND, number, amount, heard)

    def take_by_hand(self, number: int, amount: int) -> None:
        """At the provider's own screens, where that much is left of what it has promised."""
        for session in one_of(PaymentSession.objects.filter(pk__in=self.promised), number):
            taken = self.fake.total_taken(session.pk) or 0
            if session.pk not in self.fake.called_off and taken + amount <= self.promised[session.pk]:
                key = f"by hand {len(self.fake.taken[session.pk])}"
                self.fake.taken[session.pk][key] = Decimal(amount)

    def promise_more(self, number: int) -> None:
        """The provider finds that all of the session's amount can be had."""
        for session in one_of(PaymentSession.objects.filter(pk__in=self.promised), number):
            self.promised[session.pk] = session.amount

    def cancel(self) -> None:
        cancellation.cancel(actor=SYSTEM, collection_id=self.collection.pk)

    def work(self) -> None:
        intents.resume_all()

    def write_down(self, number: int) -> None:
        """An event, as things stand at the provider then; it arrives at any time, and any number of times."""
        for session in one_of(PaymentSession.objects.all(), number):
            self.events.append(event(f"evt_{len(self.events)}", session.pk, **self.standing(session.pk)))

    def tell(self, number: int) -> None:
        if self.events:
            body = self.events[number % len(self.events)]
            for provider_id in (FAKE, OTHER):
                events.receive_event(provider_id=provider_id, body=body, headers=SIGNED)

    def standing(self, session_id: str) -> dict[str, Any]:
        """In words of `event`."""
        taken, returned = self.fake.total_taken(session_id), sum(self.fake.returned[session_id].values())
        amounts = {"captured": str(taken), "refunded": str(returned)} if taken else {}
        if session_id in self.fake.called_off:
            return {"status": "captured", "authorized": str(taken), **amounts} if taken else {"status": "canceled"}
        promised = self.promised.get(session_id)
        if promised is None:
            return {"status": "pending"}
        return {"status": "authorized", "authorized": str(promised), **amounts}

    def _hear(self, act: Act, heard: bool) -> None:
        if not heard:
            self.fake.loses_answers(act)

    def _move(self, verb: Callable[..., None], act: Act, number: int, amount: int | None, heard: bool) -> None:
        for payment in one_of(Payment.objects.all(), number):
            left, wanted = left_of(payment, act), None if amount is None else Decimal(amount)
            if act == Act.CAPTURE and is_captured_now(payment.session):
                left = Decimal(0)  # one capture at a time
            self._hear(act, heard)
            noted = Intent.objects.filter(act=act).count()
            try:
                verb(actor=SYSTEM, payment_id=payment.pk, amount=wanted)
            finally:
                is_fine = 0 < (left if wanted is None else wanted) <= left
                # its report may also show money that was captured by hand, so that another session is canceled
                assert Intent.objects.filter(act=act).count() - noted == is_fine


def one_of(rows: Any, number: int) -> list[Any]:
    """One of the rows, whatever their number; none where there is none."""
    there = list(rows.order_by("pk"))
    return [there[number % len(there)]] if there else []


def is_captured_now(session: PaymentSession) -> bool:
    """Whether the provider has not answered a capture yet."""
    open_captures: bool = session.intents.filter(act=Act.CAPTURE, done_at=None).exists()
    return open_captures


def left_of(payment: Payment, act: Act) -> Decimal:
    """What can be moved, by what has moved and what is being asked for; captured at most what the cart still owes."""
    captured = sum(payment.captures.values_list("amount", flat=True))
    refunded = sum(payment.refunds.values_list("amount", flat=True))
    asked = payment.session.intents.filter(act=act, done_at=None).aggregate(sum=Sum("amount"))["sum"] or 0
    if act == Act.REFUND:
        return max(Decimal(captured - refunded - asked), Decimal(0))
    if payment.session.deleted_at or payment.canceled_at:
        return Decimal(0)
    owed: Decimal = payment.collection.amount_due
    return max(min(Decimal(payment.authorized_amount - captured), owed) - asked, Decimal(0))


def hold(shop: Shop) -> None:
    """What has to be true at any moment."""
    collection = PaymentCollection.objects.get()
    cart = Cart.objects.get()
    assert (collection.amount, collection.currency_id) == (cart.total, cart.currency_id)
    payments = list(Payment.objects.select_related("session"))
    for payment in payments:
        captured = sum(payment.captures.values_list("amount", flat=True))
        refunded = sum(payment.refunds.values_list("amount", flat=True))
        assert (payment.captured_amount, payment.refunded_amount) == (captured, refunded)
        assert 0 <= refunded <= captured <= payment.authorized_amount
        assert captured <= (shop.fake.total_taken(payment.session_id) or 0)
        assert refunded <= sum(shop.fake.returned[payment.session_id].values())
        assert (payment.captured_at is not None) == (captured > 0 and captured == payment.authorized_amount)
    hold_books(shop)
    for session_id in shop.fake.returned:
        assert sum(shop.fake.returned[session_id].values()) <= (shop.fake.total_taken(session_id) or 0)
    counted = [each for each in payments if each.captured_amount or each.session.deleted_at is None]
    assert collection.authorized_amount == sum(each.authorized_amount for each in counted)
    assert collection.captured_amount == sum(each.captured_amount for each in payments)
    assert collection.refunded_amount == sum(each.refunded_amount for each in payments)
    hold_sessions(collection)


def hold_books(shop: Shop) -> None:
    """Nothing has moved at the provider but by its own staff, and once for each intent."""
    for act, books in ((Act.CAPTURE, shop.fake.taken), (Act.REFUND, shop.fake.returned)):
        for session_id, moved in books.items():
            asked = dict(Intent.objects.filter(session=session_id, act=act).values_list("pk", "amount"))
            ours = {key: amount for key, amount in moved.items() if key != "at once" and not key.startswith("by hand")}
            assert ours.items() <= asked.items()


def hold_sessions(collection: PaymentCollection) -> None:
    shown = list(PaymentSession.objects.not_deleted())
    live = [each for each in shown if each.status != "captured"]
    assert len(live) <= 1
    for session in live:
        is_captured = Payment.objects.filter(collection=collection, captured_amount__gt=0).exists()
        if not (is_captured or is_captured_now(session)):
            assert session.amount == collection.amount
    assert {each.status for each in PaymentSession.objects.exclude(deleted_at=None)} <= {"canceled"}
    assert "canceled" not in {each.status for each in shown}
    assert collection.status in expected_statuses(collection, {each.status for each in shown})


def expected_statuses(collection: PaymentCollection, statuses: set[str]) -> set[str]:
    """The statuses that the collection may have, by its amounts and the statuses of its sessions."""
    if collection.captured_amount:
        return {"completed" if collection.captured_amount >= collection.amount else "partially_captured"}
    if "authorized" in statuses:
        return {"authorized" if collection.authorized_amount >= collection.amount else "partially_authorized"}
    if statuses - {"error"}:
        return {"awaiting"}
    return {"failed"} if statuses else {"not_paid", "canceled"}


def come_to_rest(shop: Shop) -> None:
    """Once everything was heard and asked, nothing differs from the provider's books."""
    for _ in range(20):
        if not intents.resume_all():
            break
    assert not Intent.objects.filter(done_at=None).exists()
    for session in PaymentSession.objects.all():
        reported = event(f"last {session.pk}", session.pk, **shop.standing(session.pk))
        events.receive_event(provider_id=session.provider_id, body=reported, headers=SIGNED)
    hold(shop)
    for session in PaymentSession.objects.all():
        payment = Payment.objects.filter(session=session).first()
        captured, refunded = (payment.captured_amount, payment.refunded_amount) if payment else (0, 0)
        assert captured == (shop.fake.total_taken(session.pk) or 0)
        assert refunded == sum(shop.fake.returned[session.pk].values())


@pytest.fixture
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


@pytest.fixture
def at_once(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker finds everything due, and nobody waits."""
    settings.PAYMENT_PATIENCE = timedelta(milliseconds=-5)
    monkeypatch.setattr(intents, "WAIT_SECONDS", 0.0)


def test_whatever_happens_payments_are_what_the_providers_books_say(fake: FakeProvider, at_once: None) -> None:
    @given(st.sampled_from(BEFORE), st.lists(STEPS, min_size=4, max_size=14))
    @hypothesis_settings(max_examples=walks(60))
    def walk(before: list[Step], steps: list[Step]) -> None:
        with undone():
            fake.begin_again()
            shop = Shop(fake)
            for name, *values in [*before, *steps]:
                with suppress(DomainError):
                    getattr(shop, name)(*values)
                fake.recovers()
                hold(shop)
            come_to_rest(shop)

    walk()
