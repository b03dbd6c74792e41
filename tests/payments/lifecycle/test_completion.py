"""What completing a cart asks of its payments (payments/lifecycle/completion.py)."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from carts.checkout.closing import complete_cart
from carts.models import Cart
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from kit.domain.actor import SYSTEM
from kit.errors import NotAllowed
from kit.values.money import stored
from payments.admin.needs_attention import needing_attention
from payments.errors import CollectionOfOrder
from payments.lifecycle import cancellation, completion
from payments.lifecycle.completion import AuthorizationOutcome, Outcome, PaymentProgress, SessionState
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, Refund
from payments.movements.capturing import capturable_amount, capture
from payments.providers.base import Declined, ProviderReport
from payments.providers.system import SystemProvider
from payments.requests import events, intents
from payments.sessions import authorization, starting
from payments.states import Act, SessionStatus
from shop.errors import ProviderUnavailable
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.payments.order_steps import Steps, steps
from tests.payments.paid_carts import change_quantity, collection_of, session_of
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("steps")]  # the orders named here are no rows
__all__ = ["steps"]
ORDER = "order_1"
FIFTY = stored(Decimal(50))


def locked(cart: Cart) -> LockedCart:
    return lock_open_cart(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk)


def state(cart: Cart) -> SessionState:
    with transaction.atomic():
        return completion.session_for(locked(cart))


def start(cart: Cart, provider_id: str = FAKE) -> PaymentSession:
    return make.session(make.collection(cart), provider_id=provider_id)


def bind(cart: Cart, total: int = FIFTY, *, with_state: bool = True) -> str:
    """As the transaction does that makes the order."""
    with transaction.atomic():
        opened = locked(cart)
        known = completion.session_for(opened) if with_state else None
        bound = completion.bind_to_order(cart.pk, ORDER, total, state=known)
        complete_cart(cart.pk)
    return bound


def refresh(cart: Cart) -> None:
    """As completing the cart does first."""
    session = completion.session_to_refresh(cart.pk)
    if session is not None:
        completion.refresh_session(session, cart_id=cart.pk)


def report(session: PaymentSession, number: int = 1, **given: Any) -> None:
    body = event(f"evt_{number}_{session.pk}", session.pk, **given)
    events.receive_event(provider_id=session.provider_id, body=body, headers=SIGNED)


def work_off() -> None:
    """What the background worker does."""
    for intent in Intent.objects.filter(done_at=None).order_by("pk"):
        intents.resume.call(intent_id=intent.pk)


class TestProgress:
    def test_without_a_collection(self, cart: Cart) -> None:
        assert state(cart) == SessionState(PaymentProgress.NOT_INITIATED)

    def test_without_a_session(self, cart: Cart) -> None:
        make.collection(cart)
        found = state(cart)
        assert (found.progress, found.session_id, found.amount_due, found.total) == (
            PaymentProgress.NO_SESSION,
            None,
            FIFTY,
            FIFTY,
        )

    @pytest.mark.parametrize(
        ("status", "progress"),
        [
            ("pending", PaymentProgress.TO_AUTHORIZE),
            ("requires_more", PaymentProgress.TO_AUTHORIZE),
            ("error", PaymentProgress.TO_AUTHORIZE),
            ("pending_authorization", PaymentProgress.SETTLED),
            ("authorized", PaymentProgress.SETTLED),
            ("captured", PaymentProgress.SETTLED),
        ],
    )
    def test_of_a_session(self, cart: Cart, status: str, progress: PaymentProgress) -> None:
        session = start(cart)
        if status != "pending":
            report(session, status=status)
        found = state(cart)
        assert (found.progress, found.session_id, found.status) == (progress, session.pk, status)
        assert (found.is_local, found.session_amount) == (False, FIFTY)

    def test_a_canceled_session_is_none(self, cart: Cart) -> None:
        report(start(cart), status="canceled")
        assert state(cart).progress == PaymentProgress.NO_SESSION

    def test_a_partly_authorized_one_is_partly_paid(self, cart: Cart) -> None:
        report(start(cart), status="authorized", authorized="30")
        assert state(cart).progress == PaymentProgress.PARTLY_PAID

    def test_a_part_captured_and_no_session_for_the_rest(self, cart: Cart) -> None:
        report(start(cart), status="captured", authorized="30", captured="30")
        found = state(cart)
        assert (found.progress, found.captured_amount, found.amount_due) == (
            PaymentProgress.PARTLY_PAID,
            stored(Decimal(30)),
            stored(Decimal(20)),
        )

    def test_a_part_captured_and_a_session_for_the_rest(self, cart: Cart) -> None:
        report(start(cart), status="captured", authorized="30", captured="30")
        rest = make.session(collection_of(cart), provider_id=FAKE)
        assert (rest.amount, state(cart).progress) == (20, PaymentProgress.TO_AUTHORIZE)
        report(rest, status="authorized")
        assert state(cart).progress == PaymentProgress.SETTLED

    def test_a_part_captured_of_what_is_authorized(self, cart: Cart) -> None:
        report(start(cart), status="authorized", captured="30")
        assert state(cart).progress == PaymentProgress.SETTLED


class TestALocalProvider:
    def test_it_authorizes_within_the_transaction(self, db: None) -> None:
        cart = make.payable_cart()
        session = start(cart, make.PROVIDER)
        with transaction.atomic():
            before = completion.session_for(locked(cart))
            after = completion.authorize_in_transaction(before)
            completion.bind_to_order(cart.pk, ORDER, FIFTY, state=after)
        assert (before.progress, before.is_local, after.progress) == (
            PaymentProgress.TO_AUTHORIZE,
            True,
            PaymentProgress.SETTLED,
        )
        payment, collection = Payment.objects.get(session=session), collection_of(cart)
        assert (payment.amount, payment.authorized_amount, payment.captured_amount) == (50, 50, 0)
        assert (collection.status, collection.authorized_amount) == ("authorized", 50)
        assert PaymentSession.objects.get(pk=session.pk).status == "authorized"
        assert not Intent.objects.filter(done_at=None).exists()

    def test_another_one_must_not(self, cart: Cart, fake: FakeProvider) -> None:
        start(cart)
        with pytest.raises(ValueError, match="no local provider"), transaction.atomic():
            completion.authorize_in_transaction(completion.session_for(locked(cart)))
        assert fake.asked == [Act.START]

    def test_a_subclass_is_not_local_unless_it_says_so(self) -> None:

        class Remote(SystemProvider):
            pass

        class Local(SystemProvider):
            is_local = True

        assert (SystemProvider.is_local, Remote.is_local, Local.is_local) == (True, False, True)


class TestAuthorizing:
    def begun(self, session: PaymentSession) -> str:
        with transaction.atomic():
            return completion.begin_authorization(session.pk, created_by="user_1")

    def outcome(self, session: PaymentSession) -> AuthorizationOutcome:
        with transaction.atomic():
            return completion.authorization_outcome(session.pk)

    def test_the_provider_agrees(self, cart: Cart) -> None:
        session = start(cart)
        intent_id = self.begun(session)
        assert self.outcome(session) == (Outcome.UNKNOWN, "")
        intents.carry_out(intent_id)
        assert self.outcome(session) == (Outcome.SETTLED, "")
        assert Intent.objects.get(pk=intent_id).created_by == "user_1"

    def test_a_second_request_joins_the_open_one(self, cart: Cart) -> None:
        session = start(cart)
        assert self.begun(session) == self.begun(session)

    def test_one_that_is_authorized_already_is_refused(self, cart: Cart) -> None:
        session = start(cart)
        intents.carry_out(self.begun(session))
        with pytest.raises(NotAllowed):
            self.begun(session)

    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [
            (Declined("No funds"), (Outcome.REFUSED, "No funds")),
            (ProviderReport(SessionStatus.REQUIRES_MORE), (Outcome.REQUIRES_MORE, "")),
            (ProviderReport(SessionStatus.PENDING), (Outcome.REQUIRES_MORE, "")),
            (ProviderReport(SessionStatus.PENDING_AUTHORIZATION), (Outcome.SETTLED, "")),
            (ProviderReport(SessionStatus.CAPTURED), (Outcome.SETTLED, "")),
            (
                ProviderReport(SessionStatus.AUTHORIZED, authorized=Decimal(20)),
                (Outcome.REFUSED, "Only a part of the amount was authorized"),
            ),
            (TimeoutError(), (Outcome.UNKNOWN, "")),
        ],
    )
    def test_it_answers(self, cart: Cart, fake: FakeProvider, answer: Any, outcome: tuple[Outcome, str]) -> None:
        session = start(cart)
        fake.says(Act.AUTHORIZE, answer)
        intent_id = self.begun(session)
        try:
            intents.carry_out(intent_id)
        except (intents.PaymentProviderRefused, ProviderUnavailable):
            assert isinstance(answer, Exception)
        assert self.outcome(session) == outcome

    def test_a_released_session_is_canceled_by_the_worker(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        intents.carry_out(self.begun(session))
        with transaction.atomic():
            completion.release_session(session.pk)
        assert fake.asked == [Act.START, Act.AUTHORIZE]
        work_off()
        assert fake.asked == [Act.START, Act.AUTHORIZE, Act.CANCEL]
        assert (collection_of(cart).status, collection_of(cart).authorized_amount) == ("not_paid", 0)

    def test_a_captured_session_is_not_released(self, cart: Cart) -> None:
        session = start(cart)
        report(session, status="captured")
        with transaction.atomic():
            completion.release_session(session.pk)
        assert collection_of(cart).status == "completed"


class TestRefreshing:
    def test_what_the_provider_knows_is_recorded(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        fake.states[session.pk] = ProviderReport(SessionStatus.AUTHORIZED, {"client_secret": "s"})
        refresh(cart)
        assert state(cart).progress == PaymentProgress.SETTLED
        (charge,) = fake.retrieved
        assert (charge.session_id, charge.amount, charge.cart_id) == (session.pk, 50, cart.pk)
        assert fake.asked == [Act.START]
        refresh(cart)
        assert len(fake.retrieved) == 1  # our row says it

    @pytest.mark.parametrize("answer", [None, Declined("Never heard of it")])
    def test_a_provider_that_cannot_say_changes_nothing(self, cart: Cart, fake: FakeProvider, answer: Any) -> None:
        session = start(cart)
        fake.states[session.pk] = answer
        refresh(cart)
        assert (len(fake.retrieved), state(cart).progress) == (1, PaymentProgress.TO_AUTHORIZE)

    def test_one_that_fails_is_unavailable(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        fake.states[session.pk] = TimeoutError("too slow")
        with pytest.raises(ProviderUnavailable, match=r"pp_double_test is not responding$"):
            refresh(cart)
        assert Intent.objects.filter(done_at=None).count() == 0

    def test_a_session_that_was_canceled_there_is_canceled(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        fake.states[session.pk] = ProviderReport(SessionStatus.CANCELED)
        refresh(cart)
        assert state(cart).progress == PaymentProgress.NO_SESSION

    def test_a_local_provider_is_not_asked(self, monkeypatch: pytest.MonkeyPatch, fake: FakeProvider) -> None:
        monkeypatch.setattr(FakeProvider, "is_local", True)
        cart = make.payable_cart(provider_id=FAKE)
        start(cart)
        refresh(cart)
        assert fake.retrieved == []

    def test_without_a_session_nobody_is_asked(self, cart: Cart, fake: FakeProvider) -> None:
        make.collection(cart)
        refresh(cart)
        assert fake.retrieved == []


class TestBinding:
    @pytest.mark.parametrize("with_state", [True, False])
    def test_the_collection_becomes_the_orders(self, cart: Cart, with_state: bool, steps: Steps) -> None:
        session = start(cart)
        report(session, status="authorized")
        bound = bind(cart, with_state=with_state)
        collection = collection_of(cart)
        assert (collection.pk, collection.order_id, collection.status) == (bound, ORDER, "authorized")
        assert ("recorded", bound) not in steps.calls

    @pytest.mark.parametrize("with_state", [True, False])
    def test_a_cart_that_pays_nothing_gets_a_completed_collection(self, cart: Cart, with_state: bool) -> None:
        bound = bind(cart, 0, with_state=with_state)
        collection = PaymentCollection.objects.get(pk=bound)
        assert (collection.amount, collection.status, collection.order_id) == (0, "completed", ORDER)
        assert collection.completed_at is not None
        assert Cart.objects.get(pk=cart.pk).payment_collection_id == bound

    def test_a_session_that_the_order_does_not_need_is_canceled(self, cart: Cart, fake: FakeProvider) -> None:
        start(cart)
        bind(cart, 0)
        assert not PaymentSession.objects.not_deleted().exists()
        work_off()
        assert fake.asked == [Act.START, Act.CANCEL]

    def test_money_beyond_the_total_is_refunded(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        fake.taken[session.pk]["at once"] = Decimal(60)
        report(session, status="captured", authorized="60", captured="60")
        bind(cart)
        work_off()
        collection = collection_of(cart)
        assert (collection.status, collection.captured_amount, collection.refunded_amount) == ("completed", 60, 10)
        refund = Refund.objects.get()
        assert (refund.amount, refund.note) == (10, "More was captured than the order's total")

    def test_money_beyond_the_total_that_comes_later_is_refunded_once(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        report(session, status="authorized")
        bind(cart)
        fake.taken[session.pk]["at once"] = Decimal(60)
        for number in (2, 3):
            report(session, number, status="captured", authorized="60", captured="60")
        work_off()
        assert [refund.amount for refund in Refund.objects.all()] == [10]
        assert collection_of(cart).returned_amount == 10


class TestAfterTheOrder:
    def test_no_session_is_canceled_because_amounts_differ(self, cart: Cart) -> None:
        """Money of a session that was canceled comes after the order: it goes back, the order's session stays."""
        old = start(cart)
        change_quantity(cart, 2)
        session = make.session(collection_of(cart), provider_id=FAKE)
        report(session, status="authorized")
        bind(cart, 2 * FIFTY)
        report(old, status="captured")
        assert PaymentSession.objects.get(pk=session.pk).status == "authorized"
        payment = Payment.objects.get(session=session)

        assert capturable_amount(payment) == 50

    def test_staff_cannot_cancel_its_collection(self, cart: Cart) -> None:
        session = start(cart)
        report(session, status="authorized")
        bound = bind(cart)
        with pytest.raises(CollectionOfOrder):
            cancellation.cancel(actor=SYSTEM, collection_id=bound)
        assert PaymentSession.objects.get(pk=session.pk).status == "authorized"

    def test_the_steps_are_called_in_order(self, cart: Cart, steps: Steps) -> None:
        session = start(cart)
        report(session, status="authorized")
        bound = bind(cart)
        steps.calls.clear()
        report(session, 2, status="captured")
        assert steps.calls == [("lock", cart.pk), ("recorded", bound)]

    def test_a_capture_by_staff_is_recorded_with_the_order(self, cart: Cart, steps: Steps) -> None:

        session = start(cart)
        report(session, status="authorized")
        bound = bind(cart)
        steps.calls.clear()
        capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        assert steps.calls == [("lock", cart.pk), ("lock", cart.pk), ("recorded", bound)]
        assert Capture.objects.get().amount == 50


class TestWithoutAnOrder:
    def test_an_event_that_settles_the_session_is_announced_once(self, cart: Cart, steps: Steps) -> None:
        session = start(cart)
        report(session, 1, status="authorized")
        report(session, 2, status="captured")
        assert steps.calls == [("settled", cart.pk)]

    def test_money_of_a_canceled_session_is_announced(self, cart: Cart, steps: Steps) -> None:
        session = start(cart)
        with transaction.atomic():
            locked(cart)
            completion.release_session(session.pk)
        report(session, status="captured")
        assert steps.calls == [("settled", cart.pk)]

    def test_what_the_worker_learns_is_announced_and_what_a_caller_waits_for_is_not(
        self, cart: Cart, fake: FakeProvider, steps: Steps
    ) -> None:
        session = start(cart)
        fake.says(Act.AUTHORIZE, TimeoutError())
        with pytest.raises(ProviderUnavailable):
            authorization.authorize(actor=SYSTEM, session_id=session.pk)
        assert steps.calls == []
        Intent.objects.filter(done_at=None).update(claimed_until=None)
        work_off()
        assert steps.calls == [("settled", cart.pk)]

    @pytest.mark.parametrize("status", ["authorized", "pending_authorization"])
    def test_authorized_money_is_voided(self, cart: Cart, fake: FakeProvider, status: str) -> None:
        report(start(cart), status=status)
        with transaction.atomic():
            locked(cart)
            assert completion.owe_refund(collection_of(cart).pk, "Out of stock")
        work_off()
        assert fake.asked == [Act.START, Act.CANCEL]
        assert collection_of(cart).status == "not_paid"

    def test_captured_money_is_refunded_and_the_cart_can_be_paid_again(self, cart: Cart, fake: FakeProvider) -> None:
        session = start(cart)
        fake.taken[session.pk]["at once"] = Decimal(50)
        report(session, status="captured")
        with transaction.atomic():
            locked(cart)
            assert completion.owe_refund(collection_of(cart).pk, "Out of stock")
        assert state(cart).progress == PaymentProgress.NO_SESSION
        work_off()
        refund = Refund.objects.get()
        assert (refund.amount, refund.note) == (50, "Out of stock")
        again = make.session(collection_of(cart), provider_id=FAKE)
        assert (again.amount, state(cart).progress) == (50, PaymentProgress.TO_AUTHORIZE)
        report(again, status="authorized")
        assert state(cart).progress == PaymentProgress.SETTLED
        bind(cart)

        capture(actor=SYSTEM, payment_id=Payment.objects.get(session=again).pk)
        assert collection_of(cart).status == "completed"

    def test_without_money_nothing_is_owed(self, cart: Cart) -> None:
        start(cart)
        with transaction.atomic():
            locked(cart)
            assert not completion.owe_refund(collection_of(cart).pk, "Out of stock")
        assert session_of(cart).status == "pending"

    def test_it_is_owed_once(self, cart: Cart) -> None:
        report(start(cart), status="captured")
        for is_owed in (True, False):
            with transaction.atomic():
                locked(cart)
                assert completion.owe_refund(collection_of(cart).pk, "Out of stock") == is_owed

    def test_a_refused_refund_is_retried_and_shown_until_it_is_done(self, cart: Cart, fake: FakeProvider) -> None:

        def is_shown() -> bool:
            return PaymentCollection.objects.filter(needing_attention()).exists()

        session = start(cart)
        fake.taken[session.pk]["at once"] = Decimal(50)
        report(session, status="captured")
        assert not is_shown()
        with transaction.atomic():
            locked(cart)
            completion.owe_refund(collection_of(cart).pk, "Out of stock")
        for _ in range(2):
            fake.says(Act.REFUND, Declined("Not now"))
            Intent.objects.filter(done_at=None).update(claimed_until=None)
            work_off()
            intent = Intent.objects.get(act=Act.REFUND)
            assert (intent.done_at, intent.error, is_shown()) == (None, "Not now", True)
        Intent.objects.filter(done_at=None).update(claimed_until=None)
        work_off()
        assert Refund.objects.get().amount == 50
        assert not is_shown()

    def test_money_that_staff_of_the_provider_gave_back_is_not_asked_for_forever(
        self, cart: Cart, fake: FakeProvider
    ) -> None:
        session = start(cart)
        report(session, status="captured")
        with transaction.atomic():
            locked(cart)
            completion.owe_refund(collection_of(cart).pk, "Out of stock")
        report(session, 2, status="captured", captured="50", refunded="50")
        fake.says(Act.REFUND, Declined("Nothing is left"))
        work_off()
        assert Intent.objects.get(act=Act.REFUND).result == "done"
        assert Refund.objects.get().amount == 50


def test_starting_with_a_local_provider_that_declines_says_why(
    cart: Cart, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeProvider, "is_local", True)
    fake.says(Act.START, Declined("Not today"))
    collection = make.collection(cart)
    with pytest.raises(intents.PaymentProviderRefused, match="Not today"):
        starting.start_session(actor=shopper(), collection_id=collection.pk, provider_id=FAKE)
    assert session_of(cart).status == "error"
    assert (Intent.objects.get().result, Intent.objects.get().error) == ("refused", "Not today")
