"""What the lines and shipping methods of a cart cost, with their taxes and discounts. No database."""

from collections.abc import Sequence
from typing import NamedTuple

from carts.arithmetic.discounts import ActivePromotion, Discount, DiscountableLine, apply_promotions
from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines, stated_price
from carts.arithmetic.totals import CartTotals, add_up_cart
from carts.pricing.cart_rows import LineRow, ShippingMethodRow
from kit.values import money
from shop.taxes import ApplicableTax


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
    taxes: Sequence[Sequence[ApplicableTax]],
    promotions: Sequence[ActivePromotion],
    credit_lines: Sequence[int],
    currency_code: str,
) -> Costs:
    """taxes: of each line, then of each method. credit_lines: their amounts."""
    plain = [
        _line(row, row.quantity, row.unit_price, applicable) for row, applicable in zip(lines, taxes, strict=False)
    ]
    discounts: list[list[Discount]] = [[] for _ in lines]
    if promotions:
        step = money.step(currency_code)
        discounts = apply_promotions(
            [_discountable(row, line, step) for row, line in zip(lines, plain, strict=True)],
            promotions,
            currency_code=currency_code,
        )
        plain = [
            line._replace(adjustments=[part.amount for part in parts]) if parts else line
            for line, parts in zip(plain, discounts, strict=True)
        ]
    totals = add_up_lines(plain, currency_code=currency_code)
    shipping = add_up_lines(
        [
            _line(method, 1, method.amount, applicable)
            for method, applicable in zip(methods, taxes[len(lines) :], strict=True)
        ],
        currency_code=currency_code,
    )
    return Costs(add_up_cart(totals, shipping, credit_lines), totals, shipping, discounts)


def _line(row: LineRow | ShippingMethodRow, quantity: int, price: int, applicable: Sequence[ApplicableTax]) -> Line:
    rates = [tax.rate for tax in applicable]
    return Line(quantity, price, bool(row.is_tax_inclusive), rates, exempt_rate=row.exempt_rate or 0)


def _discountable(row: LineRow, line: Line, step: int) -> DiscountableLine:
    return DiscountableLine(
        stated_price(line, step),
        line.quantity,
        line.is_tax_inclusive,
        line.rate,
        row.product_id,
        bool(row.is_discountable) and not row.is_giftcard,
    )
