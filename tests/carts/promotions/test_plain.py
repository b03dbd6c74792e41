"""Any promotions take off any cart what the plain program with fractions says."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from carts.arithmetic.discounts import choose_promotions
from carts.arithmetic.offers import ActivePromotion, DiscountableLine, OfferedCart, OfferRule
from carts.rule_attributes import COLLECTION, ITEM_TOTAL
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from tests.carts.promotions.plain import CLASSES, PlainOffer, PlainRow, apply, choose
from tests.walks import walks

COINS = st.integers(0, 20) | st.integers(0, 5000)
RATES = st.sampled_from((0, 5_0000, 7_0000, 19_0000, 20_0000, 25_5000))
KINDS = st.frozensets(st.sampled_from(("tea", "mug")), max_size=1)
LINES = st.tuples(
    COINS, st.integers(1, 6), st.booleans(), RATES, st.sampled_from(("tea", "mug", "")), *[st.integers(0, 9)] * 2
)
METHODS = st.tuples(COINS, st.booleans(), RATES)
OFFERS = st.tuples(
    st.sampled_from(CLASSES), st.booleans(), st.integers(1, HUNDRED_PERCENT), st.integers(1, 900), st.booleans(),
    st.sampled_from(("each", "across", "once")), st.none() | st.integers(1, 7), st.integers(0, 3), st.integers(1, 2),
    KINDS, KINDS, st.sampled_from((0, 0, 500, 3000)), st.integers(0, 1),
)  # fmt: skip


def rows_of(lines: list, methods: list) -> list[PlainRow]:
    goods = [
        PlainRow(coins * quantity, quantity, incl, Fraction(rate, HUNDRED_PERCENT), kind, plain > 1, card == 0)
        for coins, quantity, incl, rate, kind, plain, card in lines
    ]
    return goods + [
        PlainRow(coins, 1, incl, Fraction(rate, HUNDRED_PERCENT), is_shipping=True) for coins, incl, rate in methods
    ]


def offer_of(given: tuple, combines_with: frozenset[str]) -> PlainOffer:
    target, is_percentage, share, coins, incl, allocation, most, buy, get, kinds, bought, least, priority = given
    buy = buy if target == "items" else 0
    allocation = "each" if target == "order" or buy else allocation
    most = None if target == "order" or allocation == "across" else most
    return PlainOffer(
        target, is_percentage, Fraction(share, HUNDRED_PERCENT) if is_percentage else Fraction(coins), incl, allocation,
        (most or 1) if allocation == "once" else most, buy, get if buy else 0,
        kinds if target == "items" else frozenset(), bought if buy else frozenset(), least, priority, combines_with,
    )  # fmt: skip


def ours(code: str, rows: list[PlainRow], offers: list[PlainOffer]) -> list[dict[int, int]]:
    step = money.step(code)
    seen = [
        DiscountableLine(
            row.stated * step, row.quantity, row.incl, int(row.rate * HUNDRED_PERCENT), None,
            row.is_discountable and not row.is_giftcard, row.is_giftcard, {COLLECTION: frozenset({row.kind})},
        )
        for row in rows
    ]  # fmt: skip
    goods = sum(not row.is_shipping for row in rows)
    promotions = [
        ActivePromotion(
            str(index),
            PromotionType.PERCENTAGE if offer.is_percentage else PromotionType.FIXED,
            PromotionTarget(offer.target),
            int(offer.value * HUNDRED_PERCENT) if offer.is_percentage else int(offer.value) * step,
            offer.incl,
            about(offer.kinds),
            PromotionKind.BUYGET if offer.buy else PromotionKind.STANDARD,
            None if offer.target == "order" else Allocation(offer.allocation),
            offer.most,
            offer.buy,
            offer.get,
            about(offer.bought_kinds),
            [OfferRule(ITEM_TOTAL, Comparison.GREATER_OR_EQUAL, frozenset({str(money.major(offer.least * step))}))],
            offer.priority,
            frozenset(map(PromotionTarget, offer.combines_with)),
        )
        for index, offer in enumerate(offers)
    ]
    found = choose_promotions(OfferedCart(seen[:goods], seen[goods:]), promotions, currency_code=code).discounts
    assert all(part.amount > 0 and part.amount % step == 0 for parts in found for part in parts)
    return [{int(part.promotion_id): part.amount // step for part in parts} for parts in found]


def about(kinds: frozenset[str]) -> list[OfferRule]:
    return [OfferRule(COLLECTION, Comparison.IN, kinds)] if kinds else []


CART = (st.sampled_from(("usd", "jpy", "kwd")), st.lists(LINES, max_size=6), st.lists(METHODS, max_size=2))


@settings(max_examples=walks(250))
@given(*CART, st.lists(OFFERS, max_size=5))
def test_promotions_that_combine_take_what_fractions_say(code: str, lines: list, methods: list, given: list) -> None:
    rows, offers = rows_of(lines, methods), [offer_of(each, frozenset(CLASSES)) for each in given]
    expected = apply(rows, dict(enumerate(offers)))
    assert ours(code, rows, offers) == expected
    assert all(sum(taken.values()) <= row.stated for row, taken in zip(rows, expected, strict=True))


@settings(max_examples=walks(250))
@given(*CART, st.lists(st.tuples(OFFERS, st.frozensets(st.sampled_from(CLASSES))), max_size=5))
def test_promotions_that_exclude_others_are_chosen_as_fractions_say(
    code: str, lines: list, methods: list, given: list
) -> None:
    rows, offers = rows_of(lines, methods), [offer_of(*each) for each in given]
    assert ours(code, rows, offers) == choose(rows, offers)
