"""What a basket would cost with a promotion alone: computed as a cart is, and stored nowhere."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from carts import rule_attributes as attributes
from carts.arithmetic.offers import ActivePromotion, Skip
from carts.lines import sold_variants
from carts.pricing.cart_rows import NO_TOTALS, LineRow, ShippingMethodRow
from carts.pricing.costs import Costs, RuledFacts, add_up
from carts.pricing.line_prices import set_prices
from carts.promotions.facts import SHIPPING_TYPES, catalogue_facts
from catalog.prices import price_context
from catalog.rule_attributes import REGION
from kit.values.money import stored
from shop.models import Store
from shop.taxes import Goods


class Basket(NamedTuple):
    """units: by variant. group_id: of its customer, who has not ordered yet.

    shipping: what that costs, with tax if its currency states prices with tax.
    """

    units: Mapping[str, int]
    country_code: str
    group_id: str | None = None
    shipping: Decimal | None = None
    shipping_option_id: str | None = None


class Tried(NamedTuple):
    """lines, methods: in the order of `costs`. skip: why the promotion takes nothing."""

    currency_code: str
    lines: list[LineRow]
    methods: list[ShippingMethodRow]
    costs: Costs
    skip: Skip | None


def try_basket(promotion: ActivePromotion, basket: Basket, *, currency_code: str | None = None) -> Tried:
    """In the default sales channel. currency_code: of a promotion that applies in one alone.

    Raises InvalidData (country), VariantsNotSold, LinesWithoutPrice.
    """
    context = price_context.find(country_code=basket.country_code)
    channel = str(Store.objects.values_list("default_sales_channel_id", flat=True).get())
    variants = sold_variants.find(basket.units, channel, ())
    lines = [
        sold_variants.new_line(variants[key], cart_id="", quantity=number, metadata=None)
        for key, number in basket.units.items()
    ]
    set_prices(lines, context, keep_stored=False)
    methods = [_method(basket, is_tax_inclusive=context.currency_is_tax_inclusive)] if basket.shipping else []
    goods = [Goods(line.product_id, line.type_id, is_giftcard=line.is_giftcard) for line in lines]
    goods += [Goods(shipping_option_id=method.shipping_option_id) for method in methods]
    place = context.tax_place
    known = {
        attributes.COUNTRY: [basket.country_code],
        attributes.REGION: [str(context.attributes[REGION])],
        attributes.CHANNEL: [channel],
        attributes.GROUPS: [basket.group_id] if basket.group_id else [],
        attributes.IS_FIRST_ORDER: ["true"],
    }
    option_ids = [method.shipping_option_id for method in methods]
    costs = add_up(
        lines,
        methods,
        taxes=place.taxes_on(goods) if place else [()] * len(goods),
        promotions=[promotion] if currency_code in (None, context.currency_code) else [],
        credit_lines=[],
        currency_code=context.currency_code,
        facts=RuledFacts(
            {name: frozenset(values) for name, values in known.items() if values},
            catalogue_facts(line.product_id for line in lines),
            SHIPPING_TYPES.get()(option_ids) if option_ids else {},
        ),
    )
    return Tried(context.currency_code, lines, methods, costs, costs.skipped.get(promotion.promotion_id))


def _method(basket: Basket, *, is_tax_inclusive: bool) -> ShippingMethodRow:
    return ShippingMethodRow(
        "",
        *NO_TOTALS,
        shipping_option_id=basket.shipping_option_id or "",
        name="Shipping",
        amount=stored(basket.shipping or Decimal(0)),
        is_tax_inclusive=is_tax_inclusive,
        is_custom_amount=False,
        data=None,
    )
