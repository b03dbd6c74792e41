"""Random carts of a shop with prices of both kinds and codes of all kinds."""

from copy import copy
from random import Random
from typing import Self

from carts.details import details
from carts.lines.lines import NewLineItem
from carts.models import Cart
from carts.states import PromotionTarget, PromotionType
from fulfillment.methods import method_choice
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from kit.domain.actor import Actor
from orders.models import OrderLineItem
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option, zone
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.payments import PROVIDER
from tests.factories.pricing import price
from tests.factories.products import VariantFactory

PRICES = ("0.05", "0.99", "2.99", "3.33", "9.99", "17.99", "41.67", "100.00")
SHARES = (10, 12.5, 15, 20, "33.3333", 50, 70)
RATES = {"fr": "5.5", "ch": "8.1", "de": "19", "gb": "20", "fi": "25.5"}
"""By country; in a second one, prices are without tax."""
WITHOUT = {"ca": "5.5", "us": "8.1", "mx": "19", "jp": "20", "au": "25.5"}


class RandomCarts:
    """Regions that state prices with tax and without, what they sell, and codes of all kinds."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.regions = [
            make.selling_region(tax_rate=rate, is_tax_inclusive=rates is RATES, countries=[country])
            for rates in (RATES, WITHOUT)
            for country, rate in rates.items()
        ]
        self.shipping = option("4.95", of=zone(*RATES, *WITHOUT)).pk
        self.variants = [VariantFactory(manage_inventory=False) for _ in PRICES]
        for region in self.regions:
            region.payment_providers.add(PROVIDER)
            for variant, amount in zip(self.variants, PRICES, strict=True):
                price(variant, amount, region=region)
        self.codes = [make.PromotionFactory(value=value).code for value in SHARES]
        for target in (PromotionTarget.ITEMS, PromotionTarget.ORDER):
            self.codes.append(make.PromotionFactory(target=target, value=15).code)
            for is_taxed in (True, False):
                fixed = {"type": PromotionType.FIXED, "value": "2.50", "currency_id": "usd"}
                self.codes.append(make.PromotionFactory(target=target, is_tax_inclusive=is_taxed, **fixed).code)

    def drawn_by(self, random: Random) -> Self:
        """The same shop, with carts of their own."""
        other = copy(self)
        other.random = random
        return other

    def cart(self, actor: Actor | None = None) -> Cart:
        """One to three lines with up to two codes."""
        random, region = self.random, self.random.choice(self.regions)
        variants = random.sample(self.variants, random.randint(1, 3))
        pieces = [NewLineItem(variant.pk, random.randint(1, 5)) for variant in variants]
        codes = random.sample(self.codes, random.randint(0, 2))
        return make.cart(*pieces, region_id=region.pk, promo_codes=codes, email="ann@example.com", actor=actor)

    def shipped_cart(self, *, with_card: bool, with_credit: bool) -> tuple[Cart, int]:
        """The same with an address and shipping at 4.95, and the value of what may pay a part of it.

        That is a gift card, the store credit of a customer, or both.
        """
        actor, credit = make.shopper(), 0
        if with_credit:
            customer, credit = CustomerFactory(), self.random.randint(1, 20)
            store_credit(customer, credit)
            actor = make.shopper(customer_id=customer.pk)
        cart = self.cart(actor)
        country = cart.region.countries.get().pk
        address = {"address_1": "1 Elm Street", "city": "Town", "country_code": country, "postal_code": "10001"}
        details.change(actor=actor, cart_id=cart.pk, shipping_address=address, billing_address=address)
        method_choice.choose(actor=actor, cart_id=cart.pk, option_id=self.shipping)
        if with_credit:
            add_store_credit(actor=actor, cart_id=cart.pk)
        if with_card:
            value = self.random.randint(1, 9)
            add_card(actor=actor, cart_id=cart.pk, code=gift_card(value).code)
            credit += value
        return Cart.objects.get(pk=cart.pk), credit


def left(line: OrderLineItem) -> int:
    """Units that are neither returned nor requested."""
    gone = line.return_requested_quantity + line.return_received_quantity + line.return_dismissed_quantity
    return int(line.quantity - gone)
