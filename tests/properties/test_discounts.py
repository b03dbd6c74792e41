"""Laws of what promotions take off, for any lines and promotions.

How much that is, the plain program with fractions says (tests/carts/money/test_plain.py).
"""

from hypothesis import given
from hypothesis import strategies as st

from carts.arithmetic.discounts import apply_promotions
from carts.arithmetic.line_totals import add_up_lines, stated_price
from carts.arithmetic.offer_rules import selects
from carts.arithmetic.offers import ActivePromotion, DiscountableLine, OfferRule
from carts.arithmetic.totals import add_up_cart
from carts.rule_attributes import PRODUCT
from carts.states import Comparison, PromotionTarget, PromotionType
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from tests.properties.priced_lines import CODES, QUANTITIES, amounts, lines

PRODUCTS = st.sampled_from(("tea", "mug", None))
Cart = tuple[str, list[DiscountableLine]]


def discounted(code: str) -> st.SearchStrategy[DiscountableLine]:
    rate = st.integers(0, 40 * 10_000)
    given = st.tuples(amounts(code), QUANTITIES, st.booleans(), rate, PRODUCTS, st.booleans())
    return given.map(lambda each: DiscountableLine(*each))


CART = CODES.flatmap(lambda code: st.tuples(st.just(code), st.lists(discounted(code), max_size=8)))
OFFER = st.tuples(
    st.just("promo"),
    st.sampled_from(PromotionType),
    st.sampled_from(PromotionTarget),
    st.integers(1, HUNDRED_PERCENT) | st.integers(1, 10**9),
    st.booleans(),
    st.sampled_from(("tea", "mug")).map(lambda product: [OfferRule(PRODUCT, Comparison.IN, {product})]) | st.just(()),
).map(lambda each: ActivePromotion(*each))


def is_for(offer: ActivePromotion, line: DiscountableLine) -> bool:
    return line.is_discountable and selects(offer.target_rules, line)


def taken_by_line(lines: list[DiscountableLine], offers: list[ActivePromotion], code: str) -> list[int]:
    return [sum(taken.amount for taken in line) for line in apply_promotions(lines, offers, currency_code=code)]


@given(CART, st.lists(OFFER, max_size=4))
def test_no_line_falls_below_nothing_and_none_is_touched_by_what_is_not_for_it(
    case: Cart, offers: list[ActivePromotion]
) -> None:
    code, lines = case
    offers = [offer._replace(promotion_id=str(index)) for index, offer in enumerate(offers)]
    taken = apply_promotions(lines, offers, currency_code=code)
    assert len(taken) == len(lines)
    for line, parts in zip(lines, taken, strict=True):
        assert all(part.amount > 0 and part.amount % money.step(code) == 0 for part in parts)
        assert sum(part.amount for part in parts) <= line.stated
        assert {part.promotion_id for part in parts} <= {each.promotion_id for each in offers if is_for(each, line)}


@given(CART, OFFER)
def test_the_order_of_lines_changes_nothing_of_what_is_taken_in_all(case: Cart, offer: ActivePromotion) -> None:
    code, lines = case
    assert sum(taken_by_line(lines[::-1], [offer], code)) == sum(taken_by_line(lines, [offer], code))


@given(CART, OFFER, st.integers(1, 100_000))
def test_a_larger_promotion_never_takes_less(case: Cart, offer: ActivePromotion, more: int) -> None:
    code, lines = case
    larger = offer._replace(value=offer.value + more)
    assert sum(taken_by_line(lines, [larger], code)) >= sum(taken_by_line(lines, [offer], code))


@given(CART, st.lists(OFFER, max_size=3), OFFER)
def test_one_more_promotion_never_takes_less(case: Cart, offers: list[ActivePromotion], more: ActivePromotion) -> None:
    code, lines = case
    unlimited = [offer._replace(target_rules=()) for offer in [*offers, more]]
    fewer, all_of_them = (sum(taken_by_line(lines, some, code)) for some in (unlimited[:-1], unlimited))
    assert all_of_them >= fewer


@given(
    CODES.flatmap(lambda code: st.tuples(st.just(code), st.lists(lines(code), max_size=5))), st.lists(OFFER, max_size=3)
)
def test_what_promotions_take_is_the_cart_s_discount(case: tuple[str, list], offers: list[ActivePromotion]) -> None:
    code, priced = case
    step = money.step(code)
    seen = [
        DiscountableLine(stated_price(line, step), line.quantity, line.is_tax_inclusive, sum(line.rates), "tea")
        for line in priced
    ]
    taken = [[part.amount for part in parts] for parts in apply_promotions(seen, offers, currency_code=code)]
    reduced = [line._replace(adjustments=parts) for line, parts in zip(priced, taken, strict=True)]
    lines = add_up_lines(reduced, currency_code=code)
    assert [
        each.discount_total if line.is_tax_inclusive else each.discount_subtotal
        for line, each in zip(priced, lines, strict=True)
    ] == list(map(sum, taken))
    totals = add_up_cart(lines)
    assert totals.total + totals.discount_total == totals.original_total
