"""Completing a cart whose payment provider has to be asked outside: yes, no, more, silence, late, never."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command

from carts.details import details
from carts.errors import LinesOutOfStock
from carts.models import Cart
from carts.pricing.locked_cart import LockedCart
from catalog.models import Reservation
from kit.errors import Conflict, DomainError, Unavailable
from kit.messages.outbox.models import Event
from kit.values.timestamps import now
from orders.completion import completing, placing, settling
from orders.completion.copies import order_line_id
from orders.completion.resuming import complete_paid_cart, resume_all
from orders.models import CompletionAttempt, Order
from payments.models import Capture, Intent, PaymentSession, Refund
from payments.providers.base import Action, Declined, ProviderReport
from payments.requests.events import receive_event
from payments.states import Act, SessionStatus
from tests.factories.carts import shopper
from tests.factories.checkout import pay, ready_cart, stocked
from tests.factories.inventory import count_stock
from tests.orders.completing import completed, nothing_is_claimed, order_of
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


@pytest.fixture
def cart(fake: FakeProvider) -> Cart:
    """A guest's, of a stock of one."""
    return ready_cart(stocked(1), provider_id=FAKE)


def session_of(cart: Cart) -> PaymentSession:
    found: PaymentSession = PaymentSession.objects.filter(collection__cart=cart).latest("pk")
    return found


def report(cart: Cart, id: str, action: Action, **standing: Any) -> None:
    """The provider's event about the cart's session."""
    body = event(id, session_of(cart).pk, action, **standing)
    receive_event(provider_id=FAKE, body=body, headers=SIGNED)


class TestYes:
    def test_the_attempt_leads_to_the_order(self, cart: Cart, fake: FakeProvider) -> None:
        order = order_of(cart)
        (attempt,) = CompletionAttempt.objects.all()
        assert (attempt.status, attempt.order_id, order.payment_status) == ("completed", order.pk, "authorized")
        assert fake.asked == [Act.START, Act.AUTHORIZE]


class TestNo:
    def test_everything_is_released_and_the_cart_can_be_paid_again(self, cart: Cart, fake: FakeProvider) -> None:
        """Case 5."""
        fake.says(Act.AUTHORIZE, Declined("The card was refused"))
        done = completed(cart)
        assert done.order_id is None
        assert done.refusal is not None
        assert done.refusal.type == "payment_authorization_error"
        assert "The card was refused" in done.refusal.message
        assert nothing_is_claimed(cart)
        pay(cart, provider_id=FAKE)
        assert order_of(cart).display_id == 1

    def test_more_needed(self, cart: Cart, fake: FakeProvider) -> None:
        """Case 5."""
        fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus.REQUIRES_MORE))
        done = completed(cart)
        assert done.refusal is not None
        assert done.refusal.type == "payment_requires_more_error"
        assert nothing_is_claimed(cart)
        report(cart, "evt_1", Action.AUTHORIZED, status="authorized")
        assert order_of(cart).payment_status == "authorized"


class TestSilence:
    def test_the_attempt_stays_open_and_the_cart_closed(self, cart: Cart, fake: FakeProvider) -> None:
        """Case 4."""
        fake.loses_answers(Act.AUTHORIZE)
        with pytest.raises(Unavailable):
            completed(cart)
        with pytest.raises(Conflict):
            details.change(actor=shopper(), cart_id=cart.pk, email="other@example.com")
        other = ready_cart(provider_id=FAKE)
        assert order_of(other).display_id == 1
        assert order_of(cart).display_id == 2
        assert Order.objects.count() == 2

    def test_the_worker_settles_it(self, cart: Cart, fake: FakeProvider) -> None:
        fake.loses_answers(Act.AUTHORIZE)
        with pytest.raises(Unavailable):
            completed(cart)
        resume_all()
        assert Order.objects.get(cart_id=cart.pk).payment_status == "authorized"

    def test_what_a_process_was_killed_with_before_it_made_the_order_is_settled_without_the_provider(
        self, cart: Cart, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Killed(BaseException):
            pass

        def die(*_: object) -> None:
            raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(settling, "_end", die)
            with pytest.raises(Killed):
                completed(cart)
        CompletionAttempt.objects.update(created_at=now() - timedelta(seconds=6))
        asked = len(fake.calls)
        call_command("resume_completions", "--attempts", verbosity=0)
        assert (Order.objects.count(), len(fake.calls)) == (1, asked)

    def test_the_provider_is_not_asked_again_before_its_time(self, cart: Cart, fake: FakeProvider) -> None:
        fake.loses_answers(Act.AUTHORIZE)
        with pytest.raises(Unavailable):
            completed(cart)
        CompletionAttempt.objects.update(created_at=now() - timedelta(seconds=6))
        asked = len(fake.calls)
        call_command("resume_completions", "--attempts", verbosity=0)
        assert (CompletionAttempt.objects.get().status, len(fake.calls)) == ("open", asked)

    def test_after_a_while_the_claim_is_released(self, cart: Cart, fake: FakeProvider, settings: Any) -> None:
        settings.COMPLETION_PATIENCE = timedelta(0)
        fake.says(Act.AUTHORIZE, *[ConnectionError("silent")] * 5)
        with pytest.raises(Unavailable):
            completed(cart)
        resume_all()
        assert nothing_is_claimed(cart)
        assert session_of(cart).status == "canceled"


class TestFailures:
    def test_one_failure_stops_no_other(self, cart: Cart, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> None:
        """The worker meets an attempt and a paid cart that fail by faults of our own, and serves the next cart."""
        report(cart, "evt_1", Action.AUTHORIZED, status="authorized")
        next_cart = ready_cart(stocked(1), provider_id=FAKE)
        report(next_cart, "evt_2", Action.AUTHORIZED, status="authorized")
        broken, place = cart.pk, placing.place

        def place_others(opened: LockedCart, **given: Any) -> None:
            if opened.id == broken:
                raise ArithmeticError("A fault of our own")
            place(opened, **given)

        monkeypatch.setattr(completing, "place", place_others)
        resume_all()
        assert list(Order.objects.values_list("cart_id", flat=True)) == [next_cart.pk]
        assert nothing_is_reserved_for(cart)

    def test_an_attempt_that_cannot_end_in_an_order_is_released_after_a_while(
        self, cart: Cart, fake: FakeProvider, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any, **given: Any) -> None:
            raise ArithmeticError("A fault of our own")

        monkeypatch.setattr(settling, "place", fail)
        with pytest.raises(ArithmeticError):
            completed(cart)
        resume_all()
        assert CompletionAttempt.objects.get().status == "open"
        settings.COMPLETION_PATIENCE = timedelta(0)
        resume_all()
        assert nothing_is_claimed(cart)
        assert session_of(cart).status == "canceled"


class TestEvents:
    def test_the_shopper_never_returns(self, cart: Cart) -> None:
        """Case 7."""
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        complete_paid_cart.call(cart_id=cart.pk)
        order = Order.objects.get(cart_id=cart.pk)
        assert (order.payment_status, order.paid_total) == ("captured", order.total)
        assert order.transactions.count() == 1

    def test_before_during_and_after_there_is_one_order_and_one_capture(self, cart: Cart) -> None:
        """Case 6."""
        report(cart, "evt_1", Action.AUTHORIZED, status="authorized")
        order = order_of(cart)
        assert order.payment_status == "authorized"
        for name in ("evt_2", "evt_2", "evt_3"):
            report(cart, name, Action.CAPTURED, status="captured")
        order.refresh_from_db()
        assert (order.payment_status, order.paid_total, order.transactions.count()) == ("captured", 15, 1)
        report(cart, "evt_4", Action.REFUNDED, status="captured", refunded=5)
        order.refresh_from_db()
        assert (order.payment_status, order.refunded_total) == ("partially_refunded", 5)

    def test_events_of_an_orders_money_name_it_and_keep_the_order_of_its_other_events(self, cart: Cart) -> None:
        """A receiver that was down gets order.placed before payment.captured."""
        order = order_of(cart)
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        report(cart, "evt_2", Action.REFUNDED, status="captured", refunded=5)
        events = Event.objects.order_by("number").values_list("name", "order_of")
        assert list(events) == [
            ("order.placed", order.pk),
            ("payment.captured", order.pk),
            ("payment.refunded", order.pk),
        ]
        _, captured, refunded = Event.objects.order_by("number").values_list("data", flat=True)
        payment_id = session_of(cart).payment.pk
        assert captured == {"id": payment_id, "capture_id": Capture.objects.get().pk, "order_id": order.pk}
        assert refunded == {"id": payment_id, "refund_id": Refund.objects.get().pk, "order_id": order.pk}

    def test_captured_money_without_stock_goes_back_once(self, cart: Cart, fake: FakeProvider) -> None:
        """Case 8."""
        other = ready_cart(cart.items.get().variant, provider_id=FAKE)
        order_of(other)
        fake.taken[session_of(cart).pk]["at the provider"] = cart.total
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        with pytest.raises(LinesOutOfStock):
            completed(cart)
        for _ in range(2):
            resume_payments()
        assert sum(fake.returned[session_of(cart).pk].values()) == cart.total
        assert not Order.objects.filter(cart_id=cart.pk).exists()
        with pytest.raises(DomainError):
            completed(cart)

    def test_returned_money_counts_neither_for_nor_against_the_next_payment(
        self, cart: Cart, fake: FakeProvider
    ) -> None:
        other = ready_cart(cart.items.get().variant, provider_id=FAKE)
        order_of(other)
        first = session_of(cart).pk
        fake.taken[first]["at the provider"] = cart.total
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        with pytest.raises(LinesOutOfStock):
            completed(cart)
        resume_payments()
        count_stock(2)
        pay(cart, provider_id=FAKE)
        order = order_of(cart)
        assert (session_of(cart).pk != first, order.payment_status) == (True, "authorized")
        fake.taken[session_of(cart).pk]["at the provider"] = cart.total
        report(cart, "evt_2", Action.CAPTURED, status="captured")
        order.refresh_from_db()
        assert (order.payment_status, order.paid_total, order.refunded_total) == ("captured", 30, 15)


class TestUnclaimedMoney:
    def test_it_is_refunded_after_a_day(self, cart: Cart, fake: FakeProvider, settings: Any) -> None:
        """The cart is never completed, since it has no email address."""
        details.change(actor=shopper(), cart_id=cart.pk, email=None)
        fake.taken[session_of(cart).pk]["at the provider"] = cart.total
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        assert resume_all().refunds == 0
        settings.UNCLAIMED_MONEY_LIFETIME = timedelta(0)
        assert resume_all().refunds == 1
        assert resume_all().refunds == 0
        resume_payments()
        assert sum(fake.returned[session_of(cart).pk].values()) == cart.total

    def test_an_authorization_is_released_after_a_day(self, cart: Cart, fake: FakeProvider, settings: Any) -> None:
        details.change(actor=shopper(), cart_id=cart.pk, email=None)
        report(cart, "evt_1", Action.AUTHORIZED, status="authorized")
        assert resume_all().refunds == 0
        settings.UNCLAIMED_MONEY_LIFETIME = timedelta(0)
        assert resume_all().refunds == 1
        assert resume_all().refunds == 0
        resume_payments()
        assert fake.called_off == {session_of(cart).pk}

    def test_that_of_a_deleted_cart_is_recorded_and_refunded(
        self, cart: Cart, fake: FakeProvider, settings: Any
    ) -> None:
        Cart.objects.filter(pk=cart.pk).update(deleted_at=now())
        fake.taken[session_of(cart).pk]["at the provider"] = cart.total
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        settings.UNCLAIMED_MONEY_LIFETIME = timedelta(0)
        assert resume_all().refunds == 1
        resume_payments()
        assert sum(fake.returned[session_of(cart).pk].values()) == cart.total

    def test_money_from_before_the_shop_knew_orders_stays(self, cart: Cart, settings: Any) -> None:
        details.change(actor=shopper(), cart_id=cart.pk, email=None)
        report(cart, "evt_1", Action.CAPTURED, status="captured")
        Capture.objects.update(created_at=datetime(2020, 1, 1, tzinfo=UTC))
        settings.UNCLAIMED_MONEY_LIFETIME = timedelta(0)
        assert resume_all().refunds == 0


def nothing_is_reserved_for(cart: Cart) -> bool:
    lines = [order_line_id(line.pk) for line in cart.items.all()]
    return not Reservation.objects.not_deleted().filter(line_item_id__in=lines).exists()


def resume_payments() -> None:
    """As the background worker does later."""
    Intent.objects.filter(done_at=None).update(created_at="2026-01-01T00:00:00Z", claimed_until=None)
    call_command("resume_payments", verbosity=0)
