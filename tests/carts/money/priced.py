"""What our functions make of a case, without a database: in the form of what it expects.

Each line has the rates that it owes by the case's own rates, or would owe if its customer were not exempt.
"""

from typing import Any

from carts.arithmetic.discounts import apply_promotions
from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines, kept_totals, stated_price
from carts.arithmetic.offers import ActivePromotion, Discount, DiscountableLine
from carts.arithmetic.totals import add_up_cart
from carts.states import PromotionType
from kit.values import money
from tests.carts.money.applicable import applicable_by_line, applicable_by_method
from tests.carts.money.cases import Case
from tests.carts.worked_examples import older_terms, scaled, written


def priced(case: Case) -> dict[str, Any]:
    """The amounts of a case."""
    code, expected = case["currency"], case["expected"]
    plain = [
        _line(line, line["quantity"], scaled(line["unit_price"]), applicable_by_line(case, index), case)
        for index, line in enumerate(case["lines"])
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
        stated_price(line, money.step(code)) - sum(line.adjustments)
        for line, given in zip(lines, case["lines"], strict=True)
        if not given["is_giftcard"]
    )
    methods = [
        _line(method, 1, _shipping(method, goods), applicable_by_method(case, index), case)
        for index, method in enumerate(case["shipping"])
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


def _line(given: dict[str, Any], quantity: int, price: int, applicable: list[str], case: Case) -> Line:
    rates, incl = [scaled(rate) for rate in applicable], given["is_tax_inclusive"]
    if case["exempt"]:
        return Line(quantity, price, incl, exempt_rate=sum(rates))
    return Line(quantity, price, incl, rates)


def _discountable(line: Line, stated: dict[str, Any], code: str) -> DiscountableLine:
    return DiscountableLine(
        stated_price(line, money.step(code)),
        line.quantity,
        line.is_tax_inclusive,
        line.rate,
        stated["product"],
        stated["is_discountable"] and not stated["is_giftcard"],
    )


def _promotion(index: int, case: Case) -> ActivePromotion:
    given, of_currency = case["promotions"][index], case["prices"]["currency_is_tax_inclusive"]
    return ActivePromotion(
        str(index),
        PromotionType(given["type"]),
        value=scaled(given["value"]),
        is_tax_inclusive=of_currency if given["is_tax_inclusive"] is None else given["is_tax_inclusive"],
        **older_terms(given["target"], given["products"]),
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
