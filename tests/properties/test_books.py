"""Whatever shoppers, providers and the worker do, a shop's books agree, and no money stays without an order.

The books are what `verify_ledger` reads: orders, payments, credit, claims. The provider keeps books of its own.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import F, Q, Sum
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from carts import details, line_change, promotion_codes
from carts.lines import NewLineItem
from carts.models import Cart, LineItem
from catalog.models import InventoryLevel
from commerce.kit.core.actor import SYSTEM
from commerce.kit.core.errors import DomainError, Unavailable
from fulfillment import method_choice
from giftcards import redemption
from giftcards.cart_cards import add_card
from giftcards.cart_store_credit import add_store_credit
from orders.completion import resuming
from orders.completion.completing import complete
from orders.fulfillments import cancellation as fulfillment_cancellation
from orders.fulfillments import creation, delivery, shipping
from orders.fulfillments.requested_items import ItemQuantity
from orders.managing import cancellation
from orders.models import CompletionAttempt, Fulfillment, Order, OrderLineItem
from orders.returns import creation as returns
from orders.returns import receipt
from orders.returns.creation import NewReturnItem
from orders.returns.receipt import ReceivedItem
from payments import capturing, events, intents, refunding, starting
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.providers.base import Declined, ProviderReport
from payments.states import Act, SessionStatus
from tests.books import disagreements
from tests.factories import payments as make_payments
from tests.factories.carts import PromotionFactory, selling_region, shopper, sold_variant
from tests.factories.carts import cart as new_cart
from tests.factories.checkout import ADDRESS, EMAIL, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.factories.payments import PROVIDER as LOCAL
from tests.factories.products import ProductFactory
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on
from tests.properties import plain_statuses
from tests.properties.test_payments import at_once, one_of, undone

__all__ = ["at_once"]

some = st.integers(0, 3)
"""One of the carts, variants or payments that there are by then, whatever their number."""
providers = st.sampled_from([FAKE, FAKE, LOCAL])
answers = st.sampled_from(["agrees", "agrees", "agrees", "declines", "more", "later", "unheard", "silent"])
amounts = st.sampled_from([None, None, 1, 10, 500])

Step = tuple[Any, ...]
Piece = tuple[int, int]
pieces = st.tuples(some, st.integers(1, 3))
"""A variant, and how many of it."""
ways_to_pay = st.sampled_from(["", "", "card", "credit", "card and credit"])
STEPS = st.one_of(
    st.tuples(st.just("check_out"), st.booleans(), pieces, ways_to_pay, st.booleans(), providers),
    st.tuples(st.just("check_out"), st.booleans(), pieces, ways_to_pay, st.booleans(), providers),
    st.tuples(st.just("change_quantity"), some, st.integers(1, 3)),
    st.tuples(st.just("pay"), some, providers),
    st.tuples(st.just("complete"), some, answers),
    st.tuples(st.just("complete"), some, answers),
    st.tuples(st.just("complete"), some, answers),
    st.tuples(st.just("confirm"), some, st.booleans()),
    st.tuples(st.just("take_by_hand"), some),
    st.tuples(st.just("report"), some),
    st.tuples(st.just("report"), some),
    st.tuples(st.just("capture"), some, amounts),
    st.tuples(st.just("refund"), some, amounts),
    st.tuples(st.just("pack"), some, st.integers(1, 3)),
    st.tuples(st.sampled_from(["ship", "deliver", "unpack"]), some),
    st.tuples(st.just("bring_back"), some),
    st.tuples(st.just("cancel"), some),
    st.tuples(st.just("redeem")),
    st.tuples(st.just("work")),
    st.tuples(st.just("lose_patience")),
)
BEFORE: list[list[Step]] = [
    [("check_out", True, (0, 1), "card and credit", True, FAKE), ("complete", 0, "unheard")],
    [("check_out", False, (0, 2), "card", True, FAKE), ("confirm", 0, True), ("take_by_hand", 0), ("report", 0)],
    [
        *(("check_out", True, (1, 1), "credit", False, FAKE), ("check_out", False, (0, 2), "card", True, FAKE)),
        *(("complete", 0, "agrees"), ("capture", 0, None), ("complete", 1, "silent"), ("confirm", 1, False)),
    ],
    [
        *(("check_out", True, (0, 2), "", True, FAKE), ("check_out", False, (0, 2), "", True, LOCAL)),
        *(("confirm", 0, True), ("take_by_hand", 0), ("complete", 1, "agrees"), ("report", 0)),
    ],
    [
        *(("check_out", True, (0, 2), "", False, FAKE), ("complete", 0, "agrees"), ("capture", 0, 10)),
        *(("pack", 0, 2), ("ship", 0), ("deliver", 0), ("bring_back", 0)),
    ],
    [("check_out", False, (2, 2), "", False, FAKE), ("complete", 0, "later"), ("pack", 0, 1)],
]
"""What has happened when a walk begins: open attempts, paid carts, a stock that is not enough for both, parcels."""


class Shop:
    """Three pieces of one thing, two of another, and gift cards for sale; a gift card, and a customer with credit."""

    def __init__(self, fake: FakeProvider, settings: Any) -> None:
        self.fake, self.settings = fake, settings
        self.region = selling_region(tax_rate="8.875")
        self.region.payment_providers.add(FAKE, LOCAL)
        gift = sold_variant(25, product=ProductFactory(is_giftcard=True))
        self.variants = [stocked(3, "19.99"), stocked(2, 30), gift]
        self.shipping = option(5)
        self.customer = CustomerFactory(has_account=True)
        store_credit(self.customer, 6)
        self.card = gift_card(8)
        PromotionFactory(code="TENTH", usage_limit=2)
        self.confirmed: set[str] = set()
        self.events = 0

    def check_out(self, is_customer: bool, piece: Piece, pays_by: str, is_reduced: bool, provider: str) -> None:
        actor = shopper(customer_id=self.customer.pk if is_customer else None)
        variant, quantity = piece
        line = NewLineItem(self.variants[variant % len(self.variants)].pk, quantity)
        cart_id = new_cart(line, actor=actor, region_id=self.region.pk).pk
        address = dict(ADDRESS)
        details.change(actor=actor, cart_id=cart_id, email=EMAIL, shipping_address=address)
        method_choice.choose(actor=actor, cart_id=cart_id, option_id=self.shipping.pk)
        with suppress(DomainError):
            if is_reduced:
                promotion_codes.add(actor=actor, cart_id=cart_id, promo_codes=["TENTH"])
            if "card" in pays_by:
                add_card(actor=actor, cart_id=cart_id, code=self.card.code)
            if "credit" in pays_by and is_customer:
                add_store_credit(actor=actor, cart_id=cart_id)
        self._start(Cart.objects.get(pk=cart_id), provider)

    def change_quantity(self, number: int, quantity: int) -> None:
        for line in one_of(LineItem.objects.all(), number):
            actor = shopper(customer_id=line.cart.customer_id)
            line_change.change(actor=actor, cart_id=line.cart_id, line_id=line.pk, quantity=quantity)

    def pay(self, number: int, provider: str) -> None:
        for cart in one_of(Cart.objects.all(), number):
            self._start(cart, provider)

    def complete(self, number: int, answer: str) -> None:
        scripted: dict[str, ProviderReport | Exception] = {
            "declines": Declined("No funds"),
            "more": ProviderReport(SessionStatus.REQUIRES_MORE),
            "later": ProviderReport(SessionStatus.PENDING_AUTHORIZATION),
            "silent": ConnectionError("Silent"),
        }
        if answer in scripted:
            self.fake.says(Act.AUTHORIZE, scripted[answer])
        elif answer == "unheard":
            self.fake.loses_answers(Act.AUTHORIZE)
        for cart in one_of(Cart.objects.all(), number):
            complete(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk)

    def confirm(self, number: int, is_known: bool) -> None:
        """The shopper pays at the provider's own page, which `retrieve` knows at once or not at all."""
        for session in self._open_sessions(number):
            self.confirmed.add(session.pk)
            if is_known:
                self.fake.states[session.pk] = ProviderReport(SessionStatus.AUTHORIZED, authorized=session.amount)

    def take_by_hand(self, number: int) -> None:
        """The provider captures what the shopper has confirmed, without a request of ours."""
        for session in one_of(PaymentSession.objects.filter(pk__in=self.confirmed), number):
            if session.pk not in self.fake.called_off and not self.fake.taken[session.pk]:
                self.fake.taken[session.pk]["by hand"] = session.amount
                self.fake.states.pop(session.pk, None)

    def report(self, number: int) -> None:
        for session in one_of(PaymentSession.objects.filter(provider_id=FAKE), number):
            self.tell(session)

    def tell(self, session: PaymentSession) -> None:
        """An event, as things stand at the provider."""
        self.events += 1
        standing = self.standing(session)
        body = event(f"evt_{self.events}", session.pk, **standing)
        events.receive_event(provider_id=FAKE, body=body, headers=SIGNED)

    def capture(self, number: int, amount: int | None) -> None:
        for payment in one_of(Payment.objects.all(), number):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=amount and Decimal(amount))

    def refund(self, number: int, amount: int | None) -> None:
        for payment in one_of(Payment.objects.all(), number):
            refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=amount and Decimal(amount))

    def pack(self, number: int, units: int) -> None:
        for line in one_of(OrderLineItem.objects.all(), number):
            creation.create(actor=SYSTEM, order_id=line.order_id, items=[ItemQuantity(line.pk, units)])

    def ship(self, number: int) -> None:
        for fulfillment in one_of(Fulfillment.objects.all(), number):
            shipping.ship(actor=SYSTEM, fulfillment_id=fulfillment.pk)

    def deliver(self, number: int) -> None:
        for fulfillment in one_of(Fulfillment.objects.all(), number):
            delivery.deliver(actor=SYSTEM, fulfillment_id=fulfillment.pk)

    def unpack(self, number: int) -> None:
        for fulfillment in one_of(Fulfillment.objects.all(), number):
            fulfillment_cancellation.cancel(actor=SYSTEM, fulfillment_id=fulfillment.pk)

    def bring_back(self, number: int) -> None:
        """One unit is returned, damaged."""
        for line in one_of(OrderLineItem.objects.filter(delivered_quantity__gt=0), number):
            item = NewReturnItem(line.pk, 1)
            return_id = returns.request(actor=SYSTEM, order_id=line.order_id, items=[item])
            receipt.receive(actor=SYSTEM, return_id=return_id, items=[ReceivedItem(line.pk, 0, 1)])

    def cancel(self, number: int) -> None:
        for order in one_of(Order.objects.all(), number):
            cancellation.cancel(actor=SYSTEM, order_id=order.pk)

    def redeem(self) -> None:
        """The customer redeems the card, which carts and attempts may count on."""
        redemption.redeem(actor=redeemer(self.customer), id_or_code=self.card.code)

    def work(self) -> None:
        """The chores of the background worker."""
        intents.resume_all()
        resuming.resume_all()

    def lose_patience(self) -> None:
        self.settings.COMPLETION_PATIENCE = timedelta(seconds=-1)
        self.fake.says(Act.AUTHORIZE, *[ConnectionError("Silent")] * 3)
        self.work()

    def give_up_carts(self) -> None:
        """A day later, nobody has completed them."""
        self.settings.UNCLAIMED_MONEY_LIFETIME = timedelta(seconds=-1)
        for _ in range(3):
            self.work()

    def standing(self, session: PaymentSession) -> dict[str, Any]:
        """In words of `event`."""
        taken, returned = self.moved(session.pk)
        amounts = {"captured": str(taken), "refunded": str(returned)} if taken else {}
        if session.pk in self.fake.called_off:
            return {"status": "captured", "authorized": str(taken), **amounts} if taken else {"status": "canceled"}
        if session.pk not in self.confirmed:
            return {"status": "pending"}
        return {"status": "authorized", "authorized": str(session.amount), **amounts}

    def moved(self, session_id: str) -> tuple[Decimal, Decimal]:
        """What the provider has taken and returned."""
        returned = sum(self.fake.returned[session_id].values(), Decimal(0))
        return self.fake.total_taken(session_id) or Decimal(0), returned

    def listen(self) -> None:
        """What the provider was asked and did, answered or not."""
        authorized = (call.charge.session_id for call in self.fake.calls if call.act == Act.CAPTURE)
        self.confirmed |= set(authorized)
        self.confirmed |= set(PaymentSession.objects.filter(status="authorized").values_list("pk", flat=True))
        self.fake.recovers()
        self.settings.COMPLETION_PATIENCE = timedelta(minutes=15)

    def _start(self, cart: Cart, provider: str) -> None:
        collection = PaymentCollection.objects.filter(cart=cart).first() or make_payments.collection(cart)
        actor = shopper(customer_id=cart.customer_id)
        starting.start_session(actor=actor, collection_id=collection.pk, provider_id=provider)

    def _open_sessions(self, number: int) -> list[PaymentSession]:
        waiting = PaymentSession.objects.not_deleted().filter(provider_id=FAKE, status__in=["pending", "requires_more"])
        return one_of(waiting.exclude(pk__in=self.fake.called_off), number)


def check(shop: Shop, step: object) -> None:
    """What has to be true at any moment."""
    assert disagreements() == [], step
    for order in Order.objects.all():
        stored = (order.payment_status, order.fulfillment_status)
        assert stored == (plain_statuses.payment_status(order), plain_statuses.fulfillment_status(order)), step
    short = InventoryLevel.objects.filter(Q(reserved_quantity__gt=F("stocked_quantity")) | Q(reserved_quantity__lt=0))
    assert not short.exists(), step
    for payment in Payment.objects.filter(session__provider_id=FAKE):
        taken, returned = shop.moved(payment.session_id)
        assert payment.captured_amount <= taken, step
        assert payment.refunded_amount <= returned <= taken, step


def come_to_rest(shop: Shop) -> None:
    """Everything is reported and answered: all money is an order's, or has gone back."""
    for _ in range(3):
        shop.work()
        shop.listen()
        for session in PaymentSession.objects.filter(provider_id=FAKE):
            shop.tell(session)
    shop.give_up_carts()
    check(shop, "at rest")
    assert not CompletionAttempt.objects.filter(status="open").exists()
    assert not Intent.objects.filter(done_at=None).exists()
    for session in PaymentSession.objects.filter(provider_id=FAKE):
        taken, returned = shop.moved(session.pk)
        order = Order.objects.filter(cart_id=session.collection.cart_id).first()
        if order is None:
            assert taken == returned, session.pk
        else:
            assert order.paid_total - order.refunded_total <= order.original_order_total
    for order in Order.objects.all():
        sums = PaymentCollection.objects.filter(order_id=order.pk).aggregate(
            captured=Sum("captured_amount"), refunded=Sum("refunded_amount")
        )
        assert (order.paid_total, order.refunded_total) == (sums["captured"], sums["refunded"])


@pytest.fixture
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def test_whatever_happens_the_books_of_orders_agree(fake: FakeProvider, at_once: None, settings: Any) -> None:
    lifetime = settings.UNCLAIMED_MONEY_LIFETIME

    @given(st.sampled_from(BEFORE), st.lists(STEPS, min_size=4, max_size=10))
    @hypothesis_settings(max_examples=10)
    def walk(before: list[Step], steps: list[Step]) -> None:
        settings.UNCLAIMED_MONEY_LIFETIME = lifetime
        with undone():
            fake.begin_again()
            shop = Shop(fake, settings)
            for name, *values in [*before, *steps]:
                with suppress(DomainError, Unavailable):
                    getattr(shop, name)(*values)
                shop.listen()
                check(shop, (name, *values))
            come_to_rest(shop)

    walk()
