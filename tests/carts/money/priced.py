"""What our functions make of a case, without a database: in the form of what it expects.

Each line has the rates of the tax lines that are expected of it. Which those are, the tests over HTTP show.
"""

from typing import Any

from carts.arithmetic.discounts import ActivePromotion, Discount, DiscountableLine, apply_promotions
from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines, kept_totals, stated_price
from carts.arithmetic.totals import add_up_cart
from carts.states import PromotionTarget, PromotionType
from kit.values import money
from tests.carts.money.cases import Case
from tests.carts.worked_examples import scaled, written


def is_priced(case: Case) -> bool:
    """Whether the functions know all that the case has: taxes that go out of a line they do not."""
    return not case["exempt"]


def priced(case: Case) -> dict[str, Any]:
    """The amounts of a case."""
    code, expected = case["currency"], case["expected"]
    plain = [
        Line(line["quantity"], scaled(line["unit_price"]), line["is_tax_inclusive"], _rates(of_line))
        for line, of_line in zip(case["lines"], expected["lines"], strict=True)
    ]
    discounts = apply_promotions(
        [_discountable(line, case["lines"][index], code) for index, line in enumerate(plain)],
        [_promotion(index, case) for index in range(len(case["promotions"]))],
        currency_code=code,
    )
    lines = [
        line._replace(adjustments=[each.amount for each in parts]) for line, parts in zip(plain, discounts, strict=True)
    ]
    totals = add_up_lines(lines, currency_code=code)
    goods = sum(
        each.total if line.is_tax_inclusive else each.total - each.tax_total
        for line, each, given in zip(lines, totals, case["lines"], strict=True)
        if not given["is_giftcard"]
    )
    methods = [
        Line(1, _shipping(method, goods), method["is_tax_inclusive"], _rates(of_method))
        for method, of_method in zip(case["shipping"], expected["methods"], strict=True)
    ]
    shipping = add_up_lines(methods, currency_code=code)
    cart = add_up_cart(totals, shipping)
    return {
        "lines": [
            _written(*each, shape, code)
            for each, shape in zip(zip(lines, totals, discounts, strict=True), expected["lines"], strict=True)
        ],
        "methods": [
            _written(*each, [], shape, code)
            for each, shape in zip(zip(methods, shipping, strict=True), expected["methods"], strict=True)
        ],
        "cart": {name: written(getattr(cart, name), money.digits(code)) for name in expected["cart"]},
    }


def _rates(expected: dict[str, Any]) -> list[int]:
    return [scaled(tax["rate"]) for tax in expected["tax_lines"]]


def _discountable(line: Line, stated: dict[str, Any], code: str) -> DiscountableLine:
    return DiscountableLine(
        stated_price(line, money.step(code)),
        line.quantity,
        line.is_tax_inclusive,
        sum(line.rates),
        stated["product"],
        stated["is_discountable"] and not stated["is_giftcard"],
    )


def _promotion(index: int, case: Case) -> ActivePromotion:
    given, of_currency = case["promotions"][index], case["prices"]["currency_is_tax_inclusive"]
    return ActivePromotion(
        str(index),
        PromotionType(given["type"]),
        PromotionTarget(given["target"]),
        scaled(given["value"]),
        of_currency if given["is_tax_inclusive"] is None else given["is_tax_inclusive"],
        frozenset(given["products"]),
    )


def _shipping(method: dict[str, Any], goods: int) -> int:
    free_from = method["free_from"]
    return 0 if free_from and goods >= scaled(free_from) else scaled(method["amount"])


def _written(
    line: Line, totals: LineTotals, discounts: list[Discount], shape: dict[str, Any], code: str
) -> dict[str, Any]:
    digits = money.digits(code)
    shown: dict[str, Any] = {
        name: written(getattr(totals, name), digits) for name, value in shape.items() if isinstance(value, str)
    }
    shown["tax_lines"] = [
        {**expected, "total": written(tax.total, digits), "subtotal": written(tax.subtotal, digits)}
        for tax, expected in zip(totals.tax_lines, shape["tax_lines"], strict=True)
    ]
    shown["adjustments"] = [
        {"promotion": int(each.promotion_id), "amount_as_stated": written(each.amount, digits)} for each in discounts
    ]
    units = range(line.quantity, line.quantity - len(shape["refunds"]), -1)
    shown["refunds"] = [written(_kept(line, n, code) - _kept(line, n - 1, code), digits) for n in units]
    assert written(totals.refundable_total_per_unit, digits) == shown["refunds"][0]
    if "gift_card_values" in shape:
        shown["gift_card_values"] = [written(totals.total // line.quantity, digits), line.quantity]
    if "kept" in shape:
        shown["kept"] = {n: written(_kept(line, int(n), code), digits) for n in shape["kept"]}
    return shown


def _kept(line: Line, units: int, code: str) -> int:
    return kept_totals(line, units, currency_code=code).total
