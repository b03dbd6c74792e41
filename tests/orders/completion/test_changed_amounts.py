"""The total changes while a provider outside of the shop has the payment: each order of the two and of its answers."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from carts.models import Cart, LineItem
from catalog.models import Price
from kit.domain.actor import SYSTEM
from orders.completion.resuming import complete_paid_cart, resume_all
from orders.models import Order
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing
from payments.providers import registry
from payments.providers.base import Declined, ProviderReport
from payments.requests import events, intents
from payments.states import Act, SessionStatus
from tests.contract.callers import Caller
from tests.factories.carts import sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.orders.completing import nothing_is_claimed
from tests.payments.providers import FAKE, SIGNED, UPDATING, FakeProvider, UpdatingProvider, event, switched_on

pytestmark = pytest.mark.django_db(transaction=True)

AGAIN = "Review the cart and complete it again"
PAY_AGAIN = "Review the cart, pay again and complete it"
REQUIRED = "Payment sessions are required to complete cart"


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    """One that cannot change amounts."""
    with switched_on(settings) as made:
        yield made


@pytest.fixture
def provider(fake: FakeProvider) -> UpdatingProvider:
    made = registry.provider(UPDATING)
    assert isinstance(made, UpdatingProvider)
    return made


@pytest.fixture
def cart(provider: UpdatingProvider) -> Cart:
    """Of 15 dollars."""
    return ready_cart(sold_variant(10), provider_id=UPDATING)


def reprice(cart: Cart, amount: Any) -> None:
    """What the cart's only piece costs from now on; shipping is 5."""
    variant = LineItem.objects.get(cart=cart).variant
    assert variant is not None
    Price.objects.filter(price_set=variant.price_set).update(amount=amount)


def complete(caller: Caller, cart: Cart) -> Any:
    return caller.post(f"/store/carts/{cart.pk}/complete")


def refusal(caller: Caller, cart: Cart) -> str:
    """The message of a 400 that claims nothing."""
    response = complete(caller, cart)
    assert response.status_code == 400, response.content
    assert nothing_is_claimed(cart)
    return str(response.json()["message"])


def ordered(caller: Caller, cart: Cart) -> Order:
    body = complete(caller, cart).json()
    assert body["type"] == "order", body
    return Order.objects.get(pk=body["order"]["id"])


def live() -> PaymentSession:
    found: PaymentSession = PaymentSession.objects.not_deleted().get()
    return found


def work() -> None:
    """All that the background worker has to ask."""
    for intent_id in Intent.objects.filter(done_at=None).order_by("pk").values_list("pk", flat=True):
        intents.carry_out(intent_id)
    assert not Intent.objects.filter(done_at=None).exists()


def capture_all() -> None:
    for payment in Payment.objects.filter(captured_amount=0, canceled_at=None):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)


class TestPending:
    """Nobody has confirmed anything."""

    @pytest.mark.parametrize("amount", [8, 12])
    def test_the_provider_has_the_new_amount_once_the_refusal_is_answered(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart, amount: int
    ) -> None:
        session = live()
        reprice(cart, amount)
        assert refusal(guest, cart).endswith(AGAIN)
        assert provider.asked == [Act.START, Act.UPDATE]
        assert (live().pk, live().amount, provider.amounts) == (session.pk, amount + 5, {session.pk: amount + 5})
        provider.confirm(session.pk)
        assert ordered(guest, cart).total == amount + 5
        assert Payment.objects.get().authorized_amount == amount + 5

    def test_the_customer_who_has_not_confirmed_is_asked_for_it(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart
    ) -> None:
        """With the session's data, in the answer's cart."""
        reprice(cart, 12)
        refusal(guest, cart)
        body = complete(guest, cart).json()
        assert (body["type"], body["error"]["type"]) == ("cart", "payment_requires_more_error")
        (session,) = body["cart"]["payment_collection"]["payment_sessions"]
        secret = {"client_secret": f"secret of {live().pk}"}
        assert (session["amount"], session["status"], session["data"]) == (17, "pending", secret)
        provider.confirm(live().pk)
        assert ordered(guest, cart).total == 17

    def test_another_payment_is_started_at_a_provider_that_changes_none(
        self, guest: Caller, fake: FakeProvider
    ) -> None:
        cart = ready_cart(sold_variant(10), provider_id=FAKE)
        first = live()
        reprice(cart, 12)
        assert refusal(guest, cart).endswith(AGAIN)
        assert (live().amount, fake.asked) == (17, [Act.START, Act.START])
        assert ordered(guest, cart).total == 17
        work()
        assert fake.called_off == {first.pk}
        assert Payment.objects.get().authorized_amount == 17

    def test_a_silent_provider_is_asked_again_by_the_next_call(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart
    ) -> None:
        reprice(cart, 12)
        provider.says(Act.UPDATE, TimeoutError("no answer"), TimeoutError("no answer"))
        assert refusal(guest, cart).endswith(AGAIN)
        assert complete(guest, cart).status_code == 503
        assert nothing_is_claimed(cart)
        assert live().amount == 15
        assert complete(guest, cart).json()["error"]["type"] == "payment_requires_more_error"
        assert (live().amount, provider.amounts[live().pk]) == (17, 17)

    def test_a_provider_that_refuses_the_amount_gets_another_payment(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart
    ) -> None:
        first = live()
        reprice(cart, 12)
        provider.says(Act.UPDATE, Declined("Not that much"))
        assert refusal(guest, cart).endswith(AGAIN)
        assert (live().pk != first.pk, live().amount, live().status) == (True, 17, "pending")
        work()
        assert (provider.called_off, provider.amounts[live().pk]) == ({first.pk}, 17)
        provider.confirm(live().pk)
        assert ordered(guest, cart).total == 17

    def test_amounts_that_were_not_sent_yet_give_way_to_later_ones(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart
    ) -> None:
        line = cart.items.get()
        for quantity in (2, 3, 4):
            guest.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": quantity})
        (update,) = Intent.objects.filter(act=Act.UPDATE)
        assert (update.amount, live().amount) == (45, 15)
        guest.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": 1})
        assert Intent.objects.get(act=Act.UPDATE).amount == 15
        guest.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": 4})
        assert complete(guest, cart).json()["error"]["type"] == "payment_requires_more_error"
        assert (live().amount, provider.amounts[live().pk]) == (45, 45)


class TestConfirmed:
    """The shopper has confirmed the former amount."""

    def test_more_is_to_be_paid_again(self, guest: Caller, provider: UpdatingProvider, cart: Cart) -> None:
        first = live()
        provider.confirm(first.pk)
        reprice(cart, 12)
        assert refusal(guest, cart).endswith(PAY_AGAIN)
        assert refusal(guest, cart) == f"{REQUIRED}: the earlier payment was canceled, pay again"
        work()
        assert provider.called_off == {first.pk}
        provider.confirm(pay(cart, provider_id=UPDATING).pk)
        assert ordered(guest, cart).total == 17
        assert list(Payment.objects.filter(canceled_at=None).values_list("authorized_amount", flat=True)) == [17]

    def test_less_is_covered(self, guest: Caller, provider: UpdatingProvider, cart: Cart) -> None:
        provider.confirm(live().pk)
        reprice(cart, 8)
        assert refusal(guest, cart).endswith(AGAIN)
        order = ordered(guest, cart)
        assert (order.total, order.payment_status) == (13, "authorized")
        capture_all()
        work()
        assert provider.total_taken(live().pk) == 13

    @pytest.mark.parametrize(("amount", "end"), [(12, PAY_AGAIN), (8, AGAIN)])
    def test_while_the_amount_is_on_its_way(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart, amount: int, end: str
    ) -> None:
        """Before the provider is asked for the new one, which it no longer takes."""
        first, answer = live(), provider.retrieve
        provider.retrieve = lambda charge: (answer(charge), provider.confirm(first.pk))[0]  # type: ignore[method-assign]
        reprice(cart, amount)
        assert refusal(guest, cart).endswith(end)
        provider.retrieve = answer  # type: ignore[method-assign]
        assert provider.amounts == {first.pk: 15}
        if amount == 8:
            assert ordered(guest, cart).total == 13
        else:
            assert REQUIRED in refusal(guest, cart)
            work()
            assert provider.called_off == {first.pk}

    def test_the_new_amount_before_the_shop_hears_of_it(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart
    ) -> None:
        """The provider has changed it, and its answer is lost; its event is there first."""
        session = live()
        reprice(cart, 12)
        provider.loses_answers(Act.UPDATE)
        assert refusal(guest, cart).endswith(AGAIN)
        provider.confirm(session.pk)
        paid = event("evt_1", session.pk, status="authorized", authorized="17")
        events.receive_event(provider_id=UPDATING, body=paid, headers=SIGNED)
        assert ordered(guest, cart).total == 17
        work()
        assert (live().pk, live().amount, provider.called_off) == (session.pk, 17, set())
        assert (Payment.objects.get().amount, Payment.objects.get().authorized_amount) == (17, 17)

    def test_a_bank_transfer_that_is_under_way(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of the former amount: it is called off, and refunded if it comes nevertheless."""
        session, waiting = live(), ProviderReport(SessionStatus.PENDING_AUTHORIZATION)
        monkeypatch.setattr(provider, "retrieve", lambda charge: None)
        reprice(cart, 12)
        provider.says(Act.UPDATE, TimeoutError("no answer"), waiting)
        refusal(guest, cart)
        announced = event("evt_1", session.pk, status="pending_authorization")
        events.receive_event(provider_id=UPDATING, body=announced, headers=SIGNED)
        assert live().pk == session.pk
        assert REQUIRED in refusal(guest, cart)
        assert Intent.objects.get(act=Act.CANCEL).session_id == session.pk

    def test_the_background_process_leaves_the_cart_as_the_shopper_has_seen_it(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart
    ) -> None:
        provider.confirm(live().pk)
        reprice(cart, 12)
        complete_paid_cart.func(cart.pk)
        assert Cart.objects.get().total == 15
        assert "from 15.00 to 17.00 usd" in refusal(guest, cart)


class TestCaptured:
    """The provider has taken the former amount."""

    @pytest.fixture
    def taken(self, provider: UpdatingProvider, cart: Cart) -> PaymentSession:
        session = live()
        provider.confirm(session.pk)
        provider.taken[session.pk]["at once"] = Decimal(15)
        return session

    def test_the_rest_is_paid_by_another_session(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart, taken: PaymentSession
    ) -> None:
        reprice(cart, 12)
        assert refusal(guest, cart).endswith("Review the cart, pay the remaining 2.00 usd and complete it")
        assert "2.00 usd is missing" in refusal(guest, cart)
        provider.confirm(pay(cart, provider_id=UPDATING).pk)
        assert ordered(guest, cart).total == 17
        capture_all()
        assert PaymentCollection.objects.get().captured_amount == 17
        assert provider.called_off == set()

    def test_what_is_too_much_is_refunded(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart, taken: PaymentSession
    ) -> None:
        reprice(cart, 8)
        assert refusal(guest, cart).endswith(AGAIN)
        order = ordered(guest, cart)
        work()
        assert (order.total, sum(provider.returned[taken.pk].values())) == (13, 2)

    def test_of_a_cart_that_nobody_completes(
        self, guest: Caller, provider: UpdatingProvider, cart: Cart, taken: PaymentSession
    ) -> None:
        """The background process orders what the money suffices for."""
        reported = event("evt_1", taken.pk, status="captured", authorized="15", captured="15")
        events.receive_event(provider_id=UPDATING, body=reported, headers=SIGNED)
        reprice(cart, 8)
        resume_all()
        resume_all()
        work()
        assert (Order.objects.get().total, sum(provider.returned[taken.pk].values())) == (13, 2)
