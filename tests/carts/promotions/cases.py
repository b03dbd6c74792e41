"""The carts of cases.md, with what must be taken off them: read from the table. OFFERS says its prose in our words."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from carts import rule_attributes as on
from carts.arithmetic.offers import ActivePromotion, DiscountableLine, Facts, OfferRule
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType

TABLE = Path(__file__).with_name("cases.md")
ROW = re.compile(r"(?:(\d+)\u00d7|ship )([\d.]+) ([ip])([\d.]+) ?(.*)")
GOODS = (on.COLLECTION, on.TAG, on.CATEGORY, on.TYPE, on.VARIANT)


class Priced(NamedTuple):
    """A line or shipping method of a case. words: what it is called after."""

    quantity: int
    price: int
    is_tax_inclusive: bool
    rate: int
    words: str
    is_shipping: bool

    def row(self, step: int) -> DiscountableLine:
        words = frozenset(re.split("[ ,]", self.words)) - {""}
        names = (on.SHIPPING_TYPE,) if self.is_shipping else GOODS
        return DiscountableLine(
            self.price * self.quantity // step * step,
            self.quantity,
            self.is_tax_inclusive,
            self.rate,
            min(words, default=None),
            self.words not in ("gift card", "not discountable"),
            self.words == "gift card",
            dict.fromkeys(names, words),
        )


class Case(NamedTuple):
    """A row of the table. discounts: of each line, then of the method. skipped: reasons by code."""

    number: int
    currency_code: str
    rows: list[Priced]
    discounts: list[int]
    skipped: dict[str, str]
    tax: int
    total: int

    @property
    def facts(self) -> Facts:
        return FACTS.get(self.number, {})

    @property
    def offers(self) -> list[ActivePromotion]:
        return OFFERS[self.number]


def table_rows(text: str) -> list[list[str]]:
    """The cells of the numbered rows."""
    rows = [line for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in rows]


def load() -> Iterator[Case]:
    for number, cart, _, discounts, tax, total in (row for row in table_rows(TABLE.read_text()) if len(row) == 6):
        code, priced = read_cart(cart)
        amounts, _, reasons = discounts.partition("(")
        of_lines, _, of_shipping = amounts.partition("; ship ")
        expected = [scaled(each) for each in of_lines.split(" + ")]
        methods = sum(row.is_shipping for row in priced)
        expected += [0] * (len(priced) - methods - len(expected))
        expected += [scaled(of_shipping or "0")] * methods
        skipped = dict(each.split(": ") for each in reasons.rstrip(")").split(", ") if each)
        yield Case(int(number), code, priced, expected, skipped, scaled(tax), scaled(total))


def returned() -> Iterator[tuple[int, str, Priced, int, list[int], int]]:
    """Number, currency, line, its discount, what each unit refunds, and all together."""
    for number, line, discount, refunds, together in (row for row in table_rows(TABLE.read_text()) if len(row) == 5):
        code, [priced] = read_cart(line)
        taken = scaled(discount.rpartition(": ")[2])
        yield int(number), code, priced, taken, [*map(scaled, refunds.split(", "))], scaled(together)


def read_cart(text: str) -> tuple[str, list[Priced]]:
    code, _, rest = text.partition(" ") if text[:3].isalpha() and not text.startswith("ship") else ("eur", "", text)
    rows = []
    for part in rest.split("; "):
        found = ROW.fullmatch(part)
        assert found, part
        quantity, price, how, rate, words = found.groups()
        rows.append(Priced(int(quantity or 1), scaled(price), how == "i", scaled(rate), words, quantity is None))
    return code, rows


def scaled(text: str) -> int:
    return int(Decimal(text.strip()) * 10_000)


def rule(attribute: str, *values: str, operator: str = "in") -> OfferRule:
    return OfferRule(attribute, Comparison(operator), frozenset(values))


def offer(code: str, value: str, target: str = "items", **given: Any) -> ActivePromotion:
    """value: `10 %`, or an amount with `incl` or `excl`. about: what its target rules are."""
    number, _, terms = value.partition(" ")
    kind = PromotionType.PERCENTAGE if terms == "%" else PromotionType.FIXED
    about = given.pop("about", ())
    allocation = None if target == "order" else Allocation(given.pop("allocation", "each"))
    return ActivePromotion(
        code, kind, PromotionTarget(target), scaled(number), terms == "incl",
        target_rules=[about] if isinstance(about, OfferRule) else about, allocation=allocation, **given,
    )  # fmt: skip


def over(amount: str, attribute: str = on.ITEM_TOTAL) -> list[OfferRule]:
    return [rule(attribute, amount, operator="gte")]


def buy_get(code: str, buy: int, get: int, value: str = "100 %", words: str = "", **given: Any) -> ActivePromotion:
    """words: what both have to be called after."""
    about = [rule(on.COLLECTION, *words.split())] if words else []
    return offer(
        code, value, kind=PromotionKind.BUYGET, buy_rules_min_quantity=buy, apply_to_quantity=get,
        **{"buy_rules": about, "about": about, **given},
    )  # fmt: skip


def together(*classes: str) -> dict[str, frozenset[PromotionTarget]]:
    return {"combines_with": frozenset(map(PromotionTarget, classes))}


FREE_OVER_50 = offer("FREE", "100 %", "shipping_methods", rules=over("50"))
SPRING = rule(on.COLLECTION, "spring")
MEMBERS = offer("A", "15 %", "order", rules=[rule(on.GROUPS, "members")])
THREE_PIECES = offer("A", "10 %", about=SPRING, rules=over("3", on.TARGET_QUANTITY))
NOT_PRODUCT, NOT_ORDER = together("order", "shipping_methods"), together("items", "shipping_methods")
EXCLUSIVE = offer("E", "30 %", "order", **together())
TEN_INCL, TEN_EXCL = offer("A", "10 incl", "order"), offer("A", "10 excl", "order")
TEN_OFF_ORDER, TEN_OFF_ITEMS, HALF = offer("A", "10 %", "order"), offer("A", "10 %"), offer("A", "50 %")
FIVE_EACH = offer("F", "5 incl")

OFFERS: dict[int, list[ActivePromotion]] = {
    1: [HALF], 2: [TEN_OFF_ITEMS], 3: [offer("A", "20 %")], 4: [TEN_OFF_ITEMS], 5: [HALF], 6: [offer("A", "40 %")],
    7: [offer("A", "100 %")], 8: [TEN_OFF_ORDER], 9: [offer("A", "15 %", "order")], 10: [HALF], 11: [TEN_OFF_ORDER],
    12: [offer("A", "12.5 %")], 13: [TEN_INCL], 14: [TEN_EXCL], 15: [offer("A", "2 incl")], 16: [TEN_INCL],
    17: [TEN_INCL], 18: [TEN_INCL], 19: [TEN_INCL], 20: [offer("A", "1 excl", "order")],
    21: [offer("A", "50 incl", "order")],
    22: [offer("A", "50 %", max_quantity=2)],
    23: [offer("A", "5 incl", max_quantity=3)],
    24: [offer("A", "100 %", allocation="once", max_quantity=1)],
    25: [offer("A", "3 incl", allocation="once", max_quantity=3)],
    26: [offer("A", "10 incl", allocation="across", about=SPRING)],
    27: [offer("A", "20 %", about=SPRING)],
    28: [offer("A", "25 %", about=rule(on.CATEGORY, "tea"))],
    29: [offer("A", "10 %", about=rule(on.TAG, "sale", operator="ne"))],
    30: [TEN_OFF_ORDER],
    31: [buy_get("B", 2, 1)], 32: [buy_get("B", 2, 1)], 33: [buy_get("B", 2, 1)], 34: [buy_get("B", 2, 1)],
    35: [buy_get("B", 1, 1, "50 %", buy_rules=[rule(on.TYPE, "pot")], about=rule(on.TYPE, "cup"))],
    36: [buy_get("B", 2, 1, buy_rules=[rule(on.PRODUCT, "A", "B", "C")], about=rule(on.PRODUCT, "A"))],
    37: [buy_get("B", 2, 1, max_quantity=2)],
    38: [buy_get("B", 3, 2, "4 incl", buy_rules=[rule(on.PRODUCT, "A")], about=rule(on.PRODUCT, "B"))],
    39: [offer("O", "10 %", "order"), buy_get("B", 2, 1, words="tea")],
    40: [buy_get("B", 2, 1), buy_get("C", 2, 1)],
    41: [offer("FREE", "100 %", "shipping_methods")],
    42: [offer("A", "50 %", "shipping_methods")],
    43: [offer("A", "3 incl", "shipping_methods")],
    44: [offer("FREE", "100 %", "shipping_methods", about=rule(on.SHIPPING_TYPE, "standard"))],
    45: [FREE_OVER_50, TEN_INCL],
    46: [FREE_OVER_50._replace(rules=over("50", on.ORIGINAL_ITEM_TOTAL)), TEN_INCL],
    47: [FREE_OVER_50],
    48: [offer("A", "10 %", "order", rules=over("50"))],
    49: [offer("P", "20 %", about=SPRING), offer("O", "5 incl", "order", rules=over("50"))],
    50: [THREE_PIECES], 51: [THREE_PIECES], 52: [MEMBERS], 53: [MEMBERS],
    54: [offer("A", "5 incl", "order", rules=[rule(on.IS_FIRST_ORDER, "true", operator="eq")])],
    55: [offer("A", "20 %", rules=[rule(on.COUNTRY, "fr")])],
    56: [TEN_OFF_ITEMS, offer("B", "20 %")],
    57: [TEN_OFF_ITEMS, FIVE_EACH], 58: [TEN_OFF_ITEMS, FIVE_EACH._replace(priority=1)],
    59: [offer("P", "20 %", about=SPRING), offer("O", "10 %", "order"), FREE_OVER_50],
    60: [EXCLUSIVE, TEN_OFF_ITEMS, offer("O", "15 %", "order")],
    61: [EXCLUSIVE, offer("A", "20 %"), offer("O", "15 %", "order")],
    62: [offer("A", "20 %", about=SPRING, **NOT_PRODUCT), offer("B", "15 %", **NOT_PRODUCT)],
    63: [offer("A", "20 %", about=SPRING, priority=1, **NOT_PRODUCT), offer("B", "15 %", **NOT_PRODUCT)],
    64: [offer("P", "20 %"),
         offer("O", "10 %", "order", rules=over("50"), **NOT_ORDER), offer("Q", "5 %", "order", **NOT_ORDER)],
    65: [offer("A", "10 %", "order", budget=("procamp_1", scaled("5")))],
}  # fmt: skip
"""What the third column says."""
FACTS: dict[int, Facts] = {
    52: {on.GROUPS: frozenset({"members"})},
    54: {on.IS_FIRST_ORDER: frozenset({"false"})},
}
