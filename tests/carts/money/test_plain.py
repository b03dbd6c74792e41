"""Any cart costs what the plain program with fractions says, and each of its units refunds what that says."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from carts.arithmetic.discounts import apply_promotions
from carts.arithmetic.line_totals import Line, add_up_lines, kept_totals, stated_price
from carts.arithmetic.offers import ActivePromotion, DiscountableLine
from carts.states import PromotionTarget, PromotionType
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from tests.carts.money.plain import PlainLine, PlainPromotion, costs, refunds
from tests.carts.worked_examples import older_terms

COINS = st.integers(0, 20) | st.integers(0, 500) | st.integers(0, 10**8)
TENTHS_OF_PERMILLE = st.sampled_from((0, 1_0000, 5_0000, 5_5000, 9_9750, 19_0000, 20_0000, 25_5000)) | st.integers(
    0, 40_0000
)
LINES = st.lists(
    st.tuples(
        COINS,
        st.integers(1, 12),
        st.booleans(),
        st.lists(TENTHS_OF_PERMILLE, max_size=3),
        st.sampled_from(("tea", "mug", None)),
        st.booleans() | st.just(True),
        st.booleans(),
    ),
    max_size=6,
)
PROMOTIONS = st.lists(
    st.tuples(
        st.booleans(),
        st.booleans(),
        st.integers(1, 100_0000) | st.sampled_from((5_0000, 10_0000, 33_3333, 50_0000)),
        st.integers(1, 50) | st.integers(1, 10**6),
        st.booleans(),
        st.frozensets(st.sampled_from(("tea", "mug")), max_size=1),
    ),
    max_size=4,
)


@given(st.sampled_from(("usd", "jpy", "kwd")), LINES, PROMOTIONS)
def test_a_cart_costs_and_refunds_what_fractions_say(code: str, given_lines: list, given_promotions: list) -> None:
    step = money.step(code)
    plain_lines = [
        PlainLine(coins, quantity, incl, tuple(Fraction(rate, HUNDRED_PERCENT) for rate in rates), *more)
        for coins, quantity, incl, rates, *more in given_lines
    ]
    plain_promotions = [
        PlainPromotion(
            is_percentage, is_for_order, Fraction(share, HUNDRED_PERCENT) if is_percentage else Fraction(coins), *more
        )
        for is_percentage, is_for_order, share, coins, *more in given_promotions
    ]
    lines = [
        Line(quantity, coins * step, incl, () if exempt else rates, exempt_rate=sum(rates) if exempt else 0)
        for coins, quantity, incl, rates, _, _, exempt in given_lines
    ]
    discounts = apply_promotions(
        [
            DiscountableLine(
                stated_price(line, step), line.quantity, line.is_tax_inclusive, line.rate, product, is_open
            )
            for line, (*_, product, is_open, _) in zip(lines, given_lines, strict=True)
        ],
        [
            ActivePromotion(
                str(index),
                PromotionType.PERCENTAGE if is_percentage else PromotionType.FIXED,
                value=share if is_percentage else coins * step,
                is_tax_inclusive=is_taxed,
                **older_terms(PromotionTarget.ORDER if is_for_order else PromotionTarget.ITEMS, products),
            )
            for index, (is_percentage, is_for_order, share, coins, is_taxed, products) in enumerate(given_promotions)
        ],
        currency_code=code,
    )
    reduced = [
        line._replace(adjustments=[each.amount for each in parts]) for line, parts in zip(lines, discounts, strict=True)
    ]
    expected = costs(plain_lines, plain_promotions)
    for line, totals, parts, plain, cost in zip(
        reduced, add_up_lines(reduced, currency_code=code), discounts, plain_lines, expected, strict=True
    ):
        assert {int(each.promotion_id): each.amount for each in parts} == {
            index: coins * step for index, coins in cost.taken.items()
        }
        assert (totals.total, totals.original_total) == (cost.total * step, cost.original_total * step)
        assert [(tax.total // step, tax.subtotal // step) for tax in totals.tax_lines] == list(
            zip(cost.taxes, cost.taxes_before, strict=True)
        )
        by_unit = refunds(plain, sum(cost.taken.values()))
        assert totals.refundable_total_per_unit == by_unit[0] * step
        assert sum(by_unit) * step == totals.total
        assert min(by_unit) >= 0
        left = [kept_totals(line, units, currency_code=code) for units in range(line.quantity, -1, -1)]
        worth = [each.total for each in left]
        assert [each.refundable_total_per_unit for each in left] == [*(coins * step for coins in by_unit), 0]
        assert [more - fewer for more, fewer in pairwise(worth)] == [coins * step for coins in by_unit]
