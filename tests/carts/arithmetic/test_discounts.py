"""What promotions take off: the worked examples, and the order in which promotions follow each other."""

import re
from itertools import permutations

import pytest

from carts.arithmetic.discounts import apply_promotions
from carts.arithmetic.line_totals import stated_price
from carts.arithmetic.offers import ActivePromotion, DiscountableLine
from carts.states import PromotionTarget, PromotionType
from kit.values import money
from tests.carts.worked_examples import executes, older_terms, parts, read_line, scaled, written

OFFER = re.compile(
    r"(?P<value>[\d.]+)(?P<percent> %)?(?P<incl> incl)? off (?:the )?(?P<target>items|order)(?: for (?P<product>\w+))?"
)
PRICED = re.compile(r"(?P<line>.+?)(?: (?P<fixed>fixed price)| (?P<product>tea|mug))?")
HALF_OFF = ActivePromotion("half", PromotionType.PERCENTAGE, PromotionTarget.ITEMS, 50_0000)


def discounted(text: str, currency_code: str) -> DiscountableLine:
    found = PRICED.fullmatch(text)
    assert found
    priced = read_line(found["line"])
    return DiscountableLine(
        stated_price(priced, money.step(currency_code)),
        priced.quantity,
        priced.is_tax_inclusive,
        sum(priced.rates),
        found["product"],
        not found["fixed"],
    )


def offer(text: str, name: str = "promo") -> ActivePromotion:
    found = OFFER.fullmatch(text)
    assert found, text
    kind = PromotionType.PERCENTAGE if found["percent"] else PromotionType.FIXED
    terms = older_terms(found["target"], {found["product"]} - {None})
    return ActivePromotion(name, kind, value=scaled(found["value"]), is_tax_inclusive=bool(found["incl"]), **terms)


def amounts(
    lines: list[DiscountableLine], offers: list[ActivePromotion], currency_code: str = "usd"
) -> list[list[int]]:
    return [[taken.amount for taken in line] for line in apply_promotions(lines, offers, currency_code=currency_code)]


@executes("Promotions")
def test_promotions_take_what_the_document_says(given: dict[str, str], expected: dict[str, str]) -> None:
    code = given["currency"]
    lines = [discounted(text, code) for text in parts(given["lines"])]
    taken = amounts(lines, [offer(text) for text in parts(given["promotions"], ",")], code)
    shown = [" and ".join(written(amount, money.digits(code)) for amount in of_line) or "-" for of_line in taken]
    assert {"taken": "; ".join(shown)} == expected


def test_what_is_taken_names_its_promotion_in_the_order_of_application() -> None:
    texts = {"a": "1.00 off the order", "b": "10 % off the order", "c": "1.00 off items", "d": "10 % off items"}
    (taken,) = apply_promotions(
        [DiscountableLine(100_0000, 2)], [offer(text, name) for name, text in texts.items()], currency_code="usd"
    )
    assert taken == [("d", 10_0000), ("c", 2_0000), ("b", 8_8000), ("a", 1_0000)]


def test_the_order_in_which_kinds_of_promotions_are_given_does_not_matter() -> None:
    lines = [DiscountableLine(19_9900, 3), DiscountableLine(3_3300, 1), DiscountableLine(100, 1)]
    texts = ("1.00 off the order", "12.5 % off the order", "0.75 off items", "7 % off items")
    offers = [offer(text, text) for text in texts]
    assert len({str(apply_promotions(lines, list(some), currency_code="usd")) for some in permutations(offers)}) == 1


def test_promotions_of_one_kind_follow_each_other_as_given() -> None:
    lines = [DiscountableLine(5_0000, 1)]
    first, second = offer("3.00 off items", "first"), offer("4.00 off items", "second")
    assert apply_promotions(lines, [first, second], currency_code="usd") == [[("first", 3_0000), ("second", 2_0000)]]
    assert apply_promotions(lines, [second, first], currency_code="usd") == [[("second", 4_0000), ("first", 1_0000)]]


@pytest.mark.parametrize(
    "text", ["100 % off items", "100 % off the order", "9.99 off the order", "9.99 off items", "200 % off the order"]
)
def test_no_promotion_takes_more_than_earlier_ones_left(text: str) -> None:
    lines = [DiscountableLine(1_1100, 1), DiscountableLine(2_2200, 2), DiscountableLine(0, 1)]
    assert amounts(lines, [HALF_OFF, offer(text)]) == [[5600, 5500], [1_1100, 1_1100], []]


@pytest.mark.parametrize("lines", [[], [DiscountableLine(0, 1)], [DiscountableLine(5_0000, 1, is_discountable=False)]])
def test_where_nothing_can_be_discounted_nothing_is_taken(lines: list[DiscountableLine]) -> None:
    assert amounts(lines, [offer("5.00 off the order"), offer("5 % off the order"), HALF_OFF]) == [[] for _ in lines]


def test_a_promotion_for_products_passes_by_lines_without_one() -> None:
    lines = [DiscountableLine(10_0000, 1), DiscountableLine(10_0000, 1, product_id="tea")]
    assert amounts(lines, [offer("1.00 off the order for tea")]) == [[], [1_0000]]
