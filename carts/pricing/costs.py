"""What the lines and shipping methods of a cart cost, with their taxes and discounts. No database."""

from collections.abc import Sequence
from typing import NamedTuple

from carts.arithmetic.discounts import ActivePromotion, Discount, DiscountableLine, apply_promotions
from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines
from carts.arithmetic.totals import CartTotals, add_up_cart
from carts.pricing.cart_rows import LineRow, ShippingMethodRow


class Costs(NamedTuple):
    """lines, methods: in the given order. discounts: of each line, by promotion."""

    cart: CartTotals
    lines: list[LineTotals]
    methods: list[LineTotals]
    discounts: list[list[Discount]]


def add_up(
    lines: Sequence[LineRow],
    methods: Sequence[ShippingMethodRow],
    *,
    rates: Sequence[int],
    promotions: Sequence[ActivePromotion],
    credit_lines: Sequence[int],
    currency_code: str,
) -> Costs:
    """rates: of the taxes on all of them, in 1/10,000 percent. credit_lines: their amounts."""
    plain = [Line(row.quantity, row.unit_price, bool(row.is_tax_inclusive), rates) for row in lines]
    totals = add_up_lines(plain, currency_code=currency_code)
    discounts: list[list[Discount]] = [[] for _ in lines]
    if promotions:
        discounts = apply_promotions(
            [
                DiscountableLine(cost.subtotal, row.quantity, row.product_id, bool(row.is_discountable))
                for cost, row in zip(totals, lines, strict=True)
            ],
            promotions,
            currency_code=currency_code,
        )
        reduced = [
            line._replace(adjustments=[part.amount for part in parts])
            for line, parts in zip(plain, discounts, strict=True)
        ]
        totals = add_up_lines(reduced, currency_code=currency_code)
    shipping = add_up_lines(
        [Line(1, method.amount, bool(method.is_tax_inclusive), rates) for method in methods],
        currency_code=currency_code,
    )
    return Costs(add_up_cart(totals, shipping, credit_lines), totals, shipping, discounts)
