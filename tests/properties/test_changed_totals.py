"""A total that changes while a cart is paid and completed, in any order, with lost answers and killed processes.

What has to be true is said by the provider's own books: an order's payment covers it, and nothing is taken twice.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from carts.models import Cart, LineItem
from catalog.models import Price
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.common.errors import TotalChanged
from orders.completion import completing, resuming
from orders.completion.completing import complete
from orders.models import Order
from payments.lifecycle import completion
from payments.models import Intent, Payment, PaymentSession
from payments.movements import capturing
from payments.providers import registry
from payments.providers.base import Declined, ProviderReport
from payments.requests import events, intents
from payments.states import Act
from tests.factories.carts import shopper, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.factories.payments import PROVIDER
from tests.payments.providers import NAMING, SIGNED, UPDATING, NamingProvider, event, switched_on
from tests.savepoints import undone
from tests.walks import walks

some = st.integers(0, 3)
Step = tuple[Any, ...]
STEPS = st.one_of(
    st.tuples(st.just("reprice"), st.integers(6, 14)),
    st.tuples(st.just("reprice"), st.integers(6, 14)),
    st.tuples(st.just("complete")),
    st.tuples(st.just("complete")),
    st.tuples(st.just("confirm"), some),
    st.tuples(st.just("confirm"), some),
    st.tuples(st.just("take_at_once"), some),
    st.tuples(st.just("pay")),
    st.tuples(st.just("work")),
    st.tuples(st.just("resume")),
    st.tuples(st.just("write_down"), some),
    st.tuples(st.just("tell"), some),
    st.tuples(st.just("lose"), st.sampled_from([Act.START, Act.UPDATE, Act.UPDATE, Act.AUTHORIZE, Act.CANCEL])),
    st.tuples(st.just("refuse_update")),
    st.tuples(st.just("die"), st.sampled_from(["refused", *Act])),
)
_MOST_CALLS = 12


class Killed(BaseException):
    """The process is gone: nothing is caught and nothing cleaned up."""


class Shop:
    """A cart over 15 dollars with a session, its shopper, and the provider. seen: the total that the shopper knows."""

    def __init__(self, provider: NamingProvider | None, provider_id: str) -> None:
        self.provider, self.provider_id = provider, provider_id
        self.cart = ready_cart(sold_variant(10), provider_id=provider_id)
        self.seen = self.cart.total
        self.reports: list[bytes] = []

    @property
    def total(self) -> Decimal:
        found: Decimal = Cart.objects.get().total
        return found

    def reprice(self, amount: int) -> None:
        variant = LineItem.objects.get().variant
        assert variant is not None
        Price.objects.filter(price_set=variant.price_set).update(amount=amount)

    def complete(self) -> Any:
        had_order = Order.objects.exists()
        try:
            done = complete(actor=shopper(), cart_id=self.cart.pk)
        except TotalChanged as refusal:
            self.is_told(refusal.details or {})
            raise
        except Killed:  # whoever gets no response reads the cart again
            self.seen = self.total
            raise
        if done.order_id is not None and not had_order:
            self.check_order()
        return done

    def is_told(self, details: Mapping[str, object]) -> None:
        before, self.seen = self.seen, self.total
        assert (details["total_before"], details["total"]) == (before, self.seen)

    def check_order(self) -> None:
        """It costs what the shopper has seen, and the provider has promised or taken that much."""
        order = Order.objects.get()
        assert order.total == self.seen
        if self.provider:
            assert self.promised() >= order.total

    def promised(self) -> Decimal:
        """What the provider holds or has taken, and not returned."""
        assert self.provider is not None
        sessions = self.provider.confirmed
        return sum((self._kept(session_id) for session_id in sessions), Decimal(0))

    def _kept(self, session_id: str) -> Decimal:
        assert self.provider is not None
        taken = self.provider.total_taken(session_id) or Decimal(0)
        held = taken if session_id in self.provider.called_off else self.provider.amounts[session_id]
        return max(held, taken) - sum(self.provider.returned[session_id].values(), Decimal(0))

    def confirm(self, number: int) -> None:
        for session_id in self._one(number):
            if self.provider:
                self.provider.confirm(session_id)

    def take_at_once(self, number: int) -> None:
        """As a provider that captures by itself."""
        for session_id in self._one(number):
            provider = self.provider
            if provider and session_id in provider.confirmed - provider.called_off and not provider.taken[session_id]:
                provider.taken[session_id]["at once"] = provider.amounts[session_id]

    def pay(self) -> None:
        """The shopper sees the cart when choosing a payment."""
        try:
            pay(self.cart, provider_id=self.provider_id)
        finally:
            self.seen = self.total

    def work(self) -> None:
        intents.resume_all()

    def resume(self) -> None:
        """What the background process keeps, the shopper sees with the next page."""
        had_order = Order.objects.exists()
        try:
            resuming.resume_all()
        finally:
            self.seen = self.total
        if Order.objects.exists() and not had_order:
            self.check_order()

    def write_down(self, number: int) -> None:
        """An event, as things stand then; it arrives at any time, and any number of times."""
        for session_id in self._one(number):
            if self.provider and session_id in self.provider.amounts:
                words = said(self.provider.standing(session_id))
                self.reports.append(event(f"evt_{len(self.reports)}", session_id, **words))

    def tell(self, number: int) -> None:
        if self.reports:
            body = self.reports[number % len(self.reports)]
            events.receive_event(provider_id=self.provider_id, body=body, headers=SIGNED)

    def lose(self, act: Act) -> None:
        if self.provider:
            self.provider.loses_answers(act)

    def refuse_update(self) -> None:
        if self.provider:
            self.provider.says(Act.UPDATE, Declined("Not that much"))

    def die(self, when: str) -> None:
        """The next process that comes to the point: a refusal that is committed, or what its provider has done."""
        self.dies_at = when

    dies_at = ""

    def comes_to(self, point: str) -> None:
        if self.dies_at == point:
            self.dies_at = ""
            raise Killed

    def _one(self, number: int) -> list[str]:
        there = list(PaymentSession.objects.order_by("pk").values_list("pk", flat=True))
        return [there[number % len(there)]]


def said(report: ProviderReport) -> dict[str, Any]:
    """In words of `event`."""
    amounts = {name: getattr(report, name) for name in ("authorized", "captured", "refunded")}
    return {"status": report.status, "data": report.data} | {
        name: str(amount) for name, amount in amounts.items() if amount is not None
    }


def come_to_rest(shop: Shop) -> None:
    """A shopper who goes on gets an order, and the provider keeps what it costs."""
    provider, shop.dies_at = shop.provider, ""
    if provider:
        provider.recovers()
    for _ in range(_MOST_CALLS):
        if Order.objects.exists():
            break
        go_on(shop)
    order = Order.objects.get()
    for _ in range(3):
        while intents.resume_all():
            pass
        for session_id in provider.amounts if provider else ():
            last = event(f"last {len(shop.reports)} {session_id}", session_id, **said(provider.standing(session_id)))
            events.receive_event(provider_id=shop.provider_id, body=last, headers=SIGNED)
        for payment in Payment.objects.order_by("pk"):
            with suppress(DomainError):  # nothing is due
                capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    order.refresh_from_db()
    assert order.payment_status == "captured"
    assert not Intent.objects.filter(done_at=None).exists()
    kept = sum((each.captured_amount - each.refunded_amount for each in Payment.objects.all()), Decimal(0))
    assert kept == order.total
    if provider:
        taken = sum((shop.provider.total_taken(each) or Decimal(0) for each in provider.amounts), Decimal(0))
        returned = sum((sum(each.values(), Decimal(0)) for each in provider.returned.values()), Decimal(0))
        assert taken - returned == order.total


def go_on(shop: Shop) -> None:
    """What a shopper does who reads the answers."""
    intents.resume_all()
    with suppress(DomainError):
        done = shop.complete()
        if done.order_id is None and shop.provider:
            live = PaymentSession.objects.not_deleted().exclude(status="captured").get()
            shop.provider.confirm(live.pk)
        return
    if not PaymentSession.objects.not_deleted().exclude(status="captured").exists():
        with suppress(DomainError):
            shop.pay()


@pytest.fixture
def kinds(db: None, settings: Any) -> Iterator[None]:
    with switched_on(settings):
        settings.PAYMENT_PATIENCE = timedelta(milliseconds=-5)  # the worker finds everything due
        yield


def provider_of(provider_id: str) -> NamingProvider | None:
    if provider_id == PROVIDER:
        return None
    made = registry.provider(provider_id)
    assert isinstance(made, NamingProvider)
    return made


@pytest.mark.parametrize("provider_id", [UPDATING, NAMING, PROVIDER])
def test_whatever_changes_meanwhile_the_order_is_paid_once_and_in_full(
    kinds: None, monkeypatch: pytest.MonkeyPatch, provider_id: str
) -> None:
    provider, bring, answer = provider_of(provider_id), completion.bring_to_amount, NamingProvider._answer
    shops: list[Shop] = []

    def bringing(cart_id: str) -> bool:
        shops[-1].comes_to("refused")
        return bring(cart_id)

    def answering(self: NamingProvider, call: Any) -> ProviderReport:
        report = answer(self, call)
        shops[-1].comes_to(call.act)
        return report

    monkeypatch.setattr(intents, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(completing, "bring_to_amount", bringing)

    @given(st.lists(STEPS, min_size=4, max_size=16), st.booleans())
    @hypothesis_settings(max_examples=walks(15))
    def walk(steps: list[Step], confirms: bool) -> None:
        with undone():
            if provider:
                provider.begin_again()
                provider.confirms = confirms
            with monkeypatch.context() as patched:
                shops.append(Shop(provider, provider_id))
                patched.setattr(NamingProvider, "_answer", answering)
                for name, *values in steps:
                    with suppress(DomainError, Killed):
                        getattr(shops[-1], name)(*values)
                come_to_rest(shops[-1])

    walk()
