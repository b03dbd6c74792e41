"""The threshold attributes count the goods as stated, after discounts: worked examples of the decision."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import override_settings

from carts.models import Cart
from carts.pricing.cart_context import cart_context_of
from carts.states import PromotionTarget, PromotionType
from fulfillment.methods import method_choice
from fulfillment.options.available_options import available_options
from fulfillment.options.calculation import calculate
from fulfillment.providers.base import Provider, Quote, Shipment
from fulfillment.states import PriceType
from kit.values.money import major
from orders.common.order_context import order_goods
from orders.completion import completing
from shop.models import FulfillmentProvider
from tests.factories import carts as make
from tests.factories.checkout import ready_cart
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.factories.products import VariantFactory

pytestmark = pytest.mark.django_db


def counted(cart: Cart) -> tuple[Any, ...]:
    context = cart_context_of(cart.pk)
    known = available_options(context, context.totals).context.attributes
    return tuple(known[name] for name in ("item_total", "total", "item_subtotal", "subtotal"))


def with_shipping(cart: Cart) -> Cart:
    """The cart with an option of 4.90 that is free from 50."""
    shipping = option("4.90")
    price(shipping.price_set, 0, "usd", rules={"item_total": ("gte", "50")})
    method_choice.choose(actor=make.shopper(), cart_id=cart.pk, option_id=shipping.pk)
    cart.refresh_from_db()
    return cart


def mixed(*, tax_rate: str = "20") -> tuple[Cart, Any]:
    """30.00 with tax, for the region, and 25.00 without, as the currency states prices."""
    region = make.selling_region(tax_rate=tax_rate, is_tax_inclusive=True)
    taxed, net = VariantFactory(manage_inventory=False), make.sold_variant("25.00")
    price(taxed, "30.00", region=region)
    return make.cart(taxed, net, region_id=region.pk), region


def test_new_york_47_is_not_50_though_its_tax_makes_it_more() -> None:
    region = make.selling_region(tax_rate="8.875")
    cart = with_shipping(make.cart(make.sold_variant("47.00"), region_id=region.pk))
    assert (cart.item_total, cart.item_tax_total, cart.total) == (Decimal("51.17"), Decimal("4.17"), Decimal("56.50"))
    assert counted(cart) == (47, 47, 47, 47)


def test_britain_50_with_tax_is_50() -> None:
    region = make.selling_region(tax_rate=20, is_tax_inclusive=True)
    variant = VariantFactory(manage_inventory=False)
    price(variant, "50.00", region=region)
    cart = with_shipping(make.cart(variant, region_id=region.pk))
    assert (cart.total, cart.shipping_total) == (50, 0)
    assert counted(cart) == (50, 50, Decimal("41.67"), Decimal("41.67"))


def test_oregon_53_less_10_is_not_50() -> None:
    kind = {"type": PromotionType.FIXED, "target": PromotionTarget.ORDER, "value": 10, "currency_id": "usd"}
    code = make.PromotionFactory(**kind).code
    variant = make.sold_variant("53.00")
    assert with_shipping(make.cart(variant)).total == 53
    cart = with_shipping(make.cart(variant, promo_codes=[code]))
    assert (cart.item_total, cart.shipping_total, cart.total) == (43, Decimal("4.90"), Decimal("47.90"))


def test_mixed_lines_are_summed_as_stated_and_gift_cards_do_not_count() -> None:
    cart, region = mixed()
    assert (counted(cart)[0], cart.item_total) == (55, 60)
    card = VariantFactory(manage_inventory=False, product__is_giftcard=True)
    price(card, "100.00")
    cart = make.cart(card, make.sold_variant("25.00"), region_id=region.pk)
    assert counted(cart)[0] == 25


class Recorder(Provider):
    """Keeps what it is asked."""

    seen: list[Decimal] = []

    def quote(self, shipment: Shipment) -> Quote:
        self.seen.append(shipment.item_total)
        return Quote(Decimal(3))


@override_settings(FULFILLMENT_PROVIDERS={"recorder": f"{__name__}.Recorder"})
def test_carriers_get_the_same_figure() -> None:
    FulfillmentProvider.objects.create(id="recorder", is_enabled=True)
    shipping = option(None, price_type=PriceType.CALCULATED, provider_id="recorder", price_set=None)
    cart, _ = mixed()
    calculate(actor=make.shopper(), option_id=shipping.pk, cart_id=cart.pk)
    assert Recorder.seen == [55]


def test_returns_count_what_the_order_s_goods_cost_as_stated() -> None:
    region = make.selling_region(tax_rate=20)
    cart = ready_cart(make.sold_variant("25.00"), region_id=region.pk)
    cart.refresh_from_db()
    outcome = completing.complete(actor=make.shopper(), cart_id=cart.pk)
    assert outcome.order_id is not None
    assert major(order_goods(outcome.order_id)) == 25
