"""What the lines and shipping methods of a cart cost, with their taxes and discounts. No database."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from carts import rule_attributes as attributes
from carts.arithmetic.discounts import choose_promotions
from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines
from carts.arithmetic.offers import (
    NO_FACTS,
    ActivePromotion,
    Discount,
    DiscountableLine,
    Facts,
    OfferedCart,
    Outcome,
    Skip,
    facts_of_goods,
)
from carts.arithmetic.totals import CartTotals, add_up_cart
from carts.pricing.cart_rows import LineRow, ShippingMethodRow
from kit.values import money
from shop.taxes import ApplicableTax


class Costs(NamedTuple):
    """lines, methods: in the given order. discounts: of each line, then of each method, by promotion.

    skipped: why promotions take nothing.
    """

    cart: CartTotals
    lines: list[LineTotals]
    methods: list[LineTotals]
    discounts: list[list[Discount]]
    skipped: Mapping[str, Skip] = {}


class RuledFacts(NamedTuple):
    """What rules of promotions compare.

    cart: of customer and place. products: of the catalogue, by product. option_types: of shipping options.
    """

    cart: Facts = NO_FACTS
    products: Mapping[str, Facts] = {}
    option_types: Mapping[str, str] = {}


_NO_FACTS = RuledFacts()


def add_up(
    lines: Sequence[LineRow],
    methods: Sequence[ShippingMethodRow],
    *,
    taxes: Sequence[Sequence[ApplicableTax]],
    promotions: Sequence[ActivePromotion],
    credit_lines: Sequence[int],
    currency_code: str,
    facts: RuledFacts = _NO_FACTS,
) -> Costs:
    """taxes: of each line, then of each method. credit_lines: their amounts."""
    prices = [(row.quantity, row.unit_price) for row in lines] + [(1, method.amount) for method in methods]
    rows: Sequence[LineRow | ShippingMethodRow] = [*lines, *methods]
    plain = [_line(row, *price, applicable) for row, price, applicable in zip(rows, prices, taxes, strict=True)]
    outcome = Outcome([[] for _ in rows], {})
    if promotions:
        step = money.step(currency_code)
        seen = [_discountable(row, line, facts, step) for row, line in zip(rows, plain, strict=True)]
        offered = OfferedCart(seen[: len(lines)], seen[len(lines) :], facts.cart)
        outcome = choose_promotions(offered, promotions, currency_code=currency_code)
        plain = [
            line._replace(adjustments=[part.amount for part in parts]) if parts else line
            for line, parts in zip(plain, outcome.discounts, strict=True)
        ]
    totals = add_up_lines(plain, currency_code=currency_code)
    of_lines, of_methods = totals[: len(lines)], totals[len(lines) :]
    return Costs(add_up_cart(of_lines, of_methods, credit_lines), of_lines, of_methods, *outcome)


def facts_of_line(row: LineRow, products: Mapping[str, Facts]) -> Facts:
    """What rules of promotions compare of a line."""
    return facts_of_goods(row.product_id, row.variant_id, row.type_id, products)


def _line(row: LineRow | ShippingMethodRow, quantity: int, price: int, applicable: Sequence[ApplicableTax]) -> Line:
    rates = [tax.rate for tax in applicable]
    return Line(quantity, price, bool(row.is_tax_inclusive), rates, exempt_rate=row.exempt_rate or 0)


def _discountable(row: LineRow | ShippingMethodRow, line: Line, facts: RuledFacts, step: int) -> DiscountableLine:
    seen = DiscountableLine.of(line, step)._replace(is_exempt=row.exempt_rate is not None)
    if isinstance(row, ShippingMethodRow):
        option_type = facts.option_types.get(row.shipping_option_id)
        known = {attributes.SHIPPING_OPTION: row.shipping_option_id, attributes.SHIPPING_TYPE: option_type}
        return seen._replace(facts={name: frozenset((value,)) for name, value in known.items() if value})
    return seen._replace(
        product_id=row.product_id,
        is_discountable=bool(row.is_discountable) and not row.is_giftcard,
        is_giftcard=bool(row.is_giftcard),
        facts=facts_of_line(row, facts.products),
    )
