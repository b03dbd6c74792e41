"""Orders of a generated shop: carts that are ready to be completed, and orders that can be read."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from carts.details.addresses import Address
from carts.details.creation import create
from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from fulfillment.methods.method_choice import choose
from fulfillment.models import ShippingOption
from giftcards.cards.issuing import Terms, issue
from giftcards.ledger.adjustment import adjust
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from kit.domain.actor import SYSTEM, Actor
from orders.completion.completing import complete
from orders.models import OrderLineItem
from payments.lifecycle.cart_collection import open_collection
from payments.models import Payment
from payments.sessions.starting import start_session
from shop.models import PaymentProvider, Region, Store
from tests.bench.filling import planned_again
from tests.bench.places import REMOTE
from tests.bench.shipping_data import fill_shipping
from tests.bench.shopper_data import PAYMENT_PROVIDER, PLENTY, signed_in
from tests.bench.stock_data import stock_up

TURNS = 1600
"""Carts of either kind: more than five rounds complete."""
CUSTOMERS = 40
SHOWN = 40
OF_ONE_CUSTOMER = 25
ADDRESS: Address = {
    "first_name": "Ann",
    "last_name": "Lee",
    "address_1": "1 Elm Street",
    "city": "Berlin",
    "country_code": "de",
    "postal_code": "10115",
}
CREDIT = Decimal(5)


def fill_orders() -> dict[str, Any]:
    """Make them, with enough of everything in stock; what the cases' requests name."""
    with transaction.atomic():
        maker = prepared_maker()
        customers = [signed_in(f"buyer{number}@shop.example") for number in range(CUSTOMERS)]
        buyers = [(maker.of(customer.pk), token) for customer, token in customers]
        for buyer, _ in buyers:
            maker.credit(str(buyer.id))
        terms = Terms(value=CREDIT, currency_code=maker.currency_code)
        turns = [
            (card.code, *buyers[turn % CUSTOMERS])
            for turn, card in enumerate(issue(actor=SYSTEM, terms=terms, count=TURNS))
        ]
        credited = [(maker.cart(buyer, code=code), buyer, token) for code, buyer, token in planned_again(turns)]
        customer, reader_token = signed_in("reader@shop.example")
        guest, reader = maker.of(None), maker.of(customer.pk)
        ready, shown, staffed = (maker.carts(guest, number) for number in (TURNS, SHOWN, TURNS))
        listed = [maker.cart(reader) for _ in range(OF_ONE_CUSTOMER)]
    with transaction.atomic():  # a longer one would only become slower
        remote = maker.carts(guest, TURNS)
    for cart_id, buyer, _ in credited:
        start_paying(buyer, cart_id)
    for cart_id in (*ready, *shown, *staffed):
        start_paying(guest, cart_id)
    for cart_id in remote:
        start_paying(guest, cart_id, provider_id=REMOTE)
    for cart_id in listed:
        start_paying(reader, cart_id)
    for cart_id in listed:
        complete(actor=reader, cart_id=cart_id)
    return {
        "ready_carts": ready,
        "credited_carts": [(cart_id, token) for cart_id, _, token in credited],
        "reader": reader_token,
        "orders": [complete(actor=guest, cart_id=cart_id).order_id for cart_id in shown],
        "paid_orders": [paid_order(guest, cart_id) for cart_id in staffed],
        "remote_payments": [paid_order(guest, cart_id)[2] for cart_id in remote],
    }


def paid_order(actor: Actor, cart_id: str) -> tuple[str, list[str], str]:
    """Complete the cart. The ids of its order, of the order's lines and of its payment, which is authorized."""
    order_id = str(complete(actor=actor, cart_id=cart_id).order_id)
    lines = OrderLineItem.objects.filter(order=order_id).order_by("pk")
    payment = Payment.objects.get(collection__cart_id=cart_id)
    return order_id, list(lines.values_list("pk", flat=True)), payment.pk


def start_paying(actor: Actor, cart_id: str, *, provider_id: str = PAYMENT_PROVIDER) -> None:
    """Make the cart ready to be completed."""
    collection_id = open_collection(actor=actor, cart_id=cart_id)
    start_session(actor=actor, collection_id=collection_id, provider_id=provider_id)


def prepared_maker(variants: int = 2) -> "Maker":
    """The shop can sell, ship and take payments. variants: how many different ones the maker has."""
    store = Store.objects.get()
    region = Region.objects.get(pk=store.default_region_id)
    for provider_id in (PAYMENT_PROVIDER, REMOTE):
        PaymentProvider.objects.get_or_create(pk=provider_id)[0].regions.add(region)
    stock_up(PLENTY)
    fill_shipping()
    channels = (store.default_sales_channel_id,)
    shown = ProductVariant.objects.visible_to(Actor("anonymous", None, channels)).order_by("id")
    option = ShippingOption.objects.filter(name="Standard").order_by("pk")[0]
    return Maker(channels, list(shown.values_list("pk", flat=True)[:variants]), option.pk, str(region.currency_id))


@dataclass(frozen=True)
class Maker:
    """Makes carts that can be paid, with one of each variant."""

    channels: tuple[str, ...]
    variants: list[str]
    option_id: str
    currency_code: str

    def of(self, customer_id: str | None) -> Actor:
        """A customer, or a guest."""
        return Actor("customer" if customer_id else "anonymous", customer_id, self.channels)

    def credit(self, customer_id: str) -> None:
        """Give the customer store credit for all carts."""
        amount = CREDIT * (TURNS // CUSTOMERS + 1)
        adjust(actor=SYSTEM, customer_id=customer_id, currency_code=self.currency_code, amount=amount, reason="bench")

    def carts(self, actor: Actor, number: int) -> list[str]:
        """Carts without cards."""
        return [self.cart(actor) for _ in planned_again(range(number))]

    def cart(self, actor: Actor, *, code: str | None = None) -> str:
        """A cart; with a gift card's code, the card and store credit pay a part."""
        cart_id = create(
            actor=actor,
            email="ann@shop.example",
            items=[NewLineItem(variant, 1) for variant in self.variants],
            shipping_address=ADDRESS,
            billing_address=ADDRESS,
        )
        choose(actor=actor, cart_id=cart_id, option_id=self.option_id)
        if code is not None:
            add_card(actor=actor, cart_id=cart_id, code=code)
            add_store_credit(actor=actor, cart_id=cart_id, amount=CREDIT)
        return cart_id
