"""A shop for random walks: what shoppers, providers and the worker do, each step about rows that there are by then."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from carts.details import details, promotion_codes
from carts.lines import line_change
from carts.lines.lines import NewLineItem
from carts.models import Cart, LineItem
from fulfillment.methods import method_choice
from giftcards.cards import redemption
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.completion import resuming
from orders.completion.completing import complete
from payments.models import Payment, PaymentCollection, PaymentSession
from payments.movements import capturing, refunding
from payments.providers.base import Declined, ProviderReport
from payments.requests import events, intents
from payments.sessions import starting
from payments.states import Act, SessionStatus
from tests.factories import payments as make_payments
from tests.factories.carts import PromotionFactory, selling_region, shopper, sold_variant
from tests.factories.carts import cart as new_cart
from tests.factories.checkout import ADDRESS, EMAIL, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.factories.payments import PROVIDER as LOCAL
from tests.factories.products import ProductFactory
from tests.orders.invoices.shop import sells
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event
from tests.properties.draft_desk import DraftDesk
from tests.properties.edit_desk import EditDesk
from tests.properties.goods_desk import GoodsDesk
from tests.properties.order_desk import OrderDesk
from tests.properties.test_payments import one_of

Piece = tuple[int, int]
"""A variant, and how many of it."""
PART = Decimal(10)
"""What a provider holds that does not hold all."""


class Shop(OrderDesk, EditDesk, GoodsDesk, DraftDesk):
    """Three pieces of one thing, two of another, and gift cards for sale; a gift card, and a customer with credit."""

    def __init__(self, fake: FakeProvider) -> None:
        self.fake = fake
        sells()
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
        self.reason = make_payments.refund_reason()

    def check_out(
        self, is_customer: bool, wanted: Sequence[Piece], pays_by: str, is_reduced: bool, provider: str
    ) -> None:
        actor = shopper(customer_id=self.customer.pk if is_customer else None)
        quantities = {self.variants[number % len(self.variants)].pk: quantity for number, quantity in wanted}
        lines = [NewLineItem(variant_id, quantity) for variant_id, quantity in quantities.items()]
        cart_id = new_cart(*lines, actor=actor, region_id=self.region.pk).pk
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
        for line in one_of(LineItem.objects.filter(cart__is_draft=False), number):
            actor = shopper(customer_id=line.cart.customer_id)
            line_change.change(actor=actor, cart_id=line.cart_id, line_id=line.pk, quantity=quantity)

    def pay(self, number: int, provider: str) -> None:
        for cart in one_of(Cart.objects.filter(is_draft=False), number):
            self._start(cart, provider)

    def complete(self, number: int, answer: str) -> None:
        scripted: dict[str, ProviderReport | Exception] = {
            "declines": Declined("No funds"),
            "more": ProviderReport(SessionStatus.REQUIRES_MORE),
            "later": ProviderReport(SessionStatus.PENDING_AUTHORIZATION),
            "silent": ConnectionError("Silent"),
            "part": ProviderReport(SessionStatus.AUTHORIZED, authorized=PART),
        }
        if answer in scripted:
            self.fake.says(Act.AUTHORIZE, scripted[answer])
        elif answer == "unheard":
            self.fake.loses_answers(Act.AUTHORIZE)
        for cart in one_of(Cart.objects.filter(is_draft=False), number):
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

    def report_other(self, number: int, says: tuple[str, Decimal | None]) -> None:
        """The provider says so for now, whatever it has promised: it may ask the shopper again, or hold a part."""
        status, authorized = says
        for session in one_of(PaymentSession.objects.filter(provider_id=FAKE), number):
            if session.pk not in self.fake.called_off:
                held = {} if authorized is None else {"authorized": str(authorized)}
                self._send(session, {"status": status, **held})

    def tell(self, session: PaymentSession) -> None:
        """An event, as things stand at the provider."""
        self._send(session, self.standing(session))

    def capture(self, number: int, amount: int | None) -> None:
        for payment in one_of(Payment.objects.all(), number):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=amount and Decimal(amount))

    def refund(self, number: int, amount: int | None) -> None:
        for payment in one_of(Payment.objects.all(), number):
            refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=amount and Decimal(amount))

    def redeem(self) -> None:
        """The customer redeems the card, which carts and attempts may count on."""
        redemption.redeem(actor=redeemer(self.customer), id_or_code=self.card.code)

    def work(self) -> None:
        """The chores of the background worker."""
        intents.resume_all()
        resuming.resume_all()

    def lose_patience(self) -> None:
        settings.COMPLETION_PATIENCE = timedelta(seconds=-1)
        self.fake.says(Act.AUTHORIZE, *[ConnectionError("Silent")] * 3)
        self.work()

    def give_up_carts(self) -> None:
        """A day later, nobody has completed them."""
        settings.UNCLAIMED_MONEY_LIFETIME = timedelta(seconds=-1)
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
        settings.COMPLETION_PATIENCE = timedelta(minutes=15)

    def _send(self, session: PaymentSession, standing: Mapping[str, Any]) -> None:
        self.events += 1
        body = event(f"evt_{self.events}", session.pk, **standing)
        events.receive_event(provider_id=FAKE, body=body, headers=SIGNED)

    def _start(self, cart: Cart, provider: str) -> None:
        collection = PaymentCollection.objects.filter(cart=cart).first() or make_payments.collection(cart)
        actor = shopper(customer_id=cart.customer_id)
        starting.start_session(actor=actor, collection_id=collection.pk, provider_id=provider)

    def _open_sessions(self, number: int) -> list[PaymentSession]:
        waiting = PaymentSession.objects.not_deleted().filter(provider_id=FAKE, status__in=["pending", "requires_more"])
        return one_of(waiting.exclude(pk__in=self.fake.called_off), number)
