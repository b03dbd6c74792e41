"""What the functions make of the cases, and that these are the paper's."""

from itertools import pairwise

import pytest

from carts.arithmetic.discounts import choose_promotions
from carts.arithmetic.line_totals import Line, add_up_lines, kept_totals
from carts.arithmetic.offers import ActivePromotion, Discount, DiscountableLine, OfferedCart, Skip
from carts.states import Allocation, PromotionKind, PromotionTarget, PromotionType, SkipReason
from kit.values import money
from tests.carts.promotions.cases import TABLE, Case, load, returned, table_rows
from tests.shared_data import PROMOTIONS, needs

CASES = list(load())


@needs(PROMOTIONS)
def test_the_cases_are_those_of_the_paper() -> None:
    section = PROMOTIONS.read_text().partition("## 10. Test cases")[2].partition("Behaviour, through the APIs")[0]
    assert table_rows(section) == table_rows(TABLE.read_text())


def test_all_cases_are_here() -> None:
    assert [case.number for case in CASES] == [*range(1, 66)]
    assert [number for number, *_ in returned()] == [*range(66, 70)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.number))
def test_promotions_take_what_the_case_says(case: Case) -> None:
    code, step = case.currency_code, money.step(case.currency_code)
    rows = [each.row(step) for each in case.rows]
    goods = [row for row, each in zip(rows, case.rows, strict=True) if not each.is_shipping]
    cart = OfferedCart(goods, rows[len(goods) :], case.facts)
    outcome = choose_promotions(cart, case.offers, currency_code=code)
    assert [sum(each.amount for each in parts) for parts in outcome.discounts] == case.discounts
    assert {key: skip.reason for key, skip in outcome.skipped.items()} == case.skipped
    totals = add_up_lines(
        [
            Line(each.quantity, each.price, each.is_tax_inclusive, [each.rate], [part.amount for part in parts])
            for each, parts in zip(case.rows, outcome.discounts, strict=True)
        ],
        currency_code=code,
    )
    assert (sum(each.tax_total for each in totals), sum(each.total for each in totals)) == (case.tax, case.total)


@pytest.mark.parametrize(("number", "missing"), [(32, 1_0000), (40, 1_0000), (45, 7_0000), (48, 3_0000), (51, 1_0000)])
def test_what_is_missing_is_told(number: int, missing: int) -> None:
    case = CASES[number - 1]
    step = money.step(case.currency_code)
    rows = [each.row(step) for each in case.rows if not each.is_shipping]
    methods = [each.row(step) for each in case.rows if each.is_shipping]
    outcome = choose_promotions(OfferedCart(rows, methods), case.offers, currency_code=case.currency_code)
    assert [skip.missing for skip in outcome.skipped.values()] == [missing]


@pytest.mark.parametrize("given", [*returned()], ids=lambda given: str(given[0]))
def test_each_returned_unit_refunds_what_the_case_says(given: tuple) -> None:
    _, code, priced, taken, refunds, together = given
    line = Line(priced.quantity, priced.price, priced.is_tax_inclusive, [priced.rate], [taken])
    kept = [kept_totals(line, units, currency_code=code).total for units in range(priced.quantity, -1, -1)]
    assert [more - fewer for more, fewer in pairwise(kept)] == refunds
    assert kept[0] == sum(refunds) == together


def test_a_deal_beyond_its_budget_leaves_its_units_to_another() -> None:
    deal = ActivePromotion(
        "C", PromotionType.PERCENTAGE, PromotionTarget.ITEMS, 100_0000, kind=PromotionKind.BUYGET,
        allocation=Allocation.EACH, buy_rules_min_quantity=2, apply_to_quantity=1,
    )  # fmt: skip
    spent = deal._replace(promotion_id="B", budget=("procamp_1", 5_0000))
    cart = OfferedCart([DiscountableLine(30_0000, 3)])
    outcome = choose_promotions(cart, [spent, deal], currency_code="eur")
    assert outcome.discounts == [[Discount("C", 10_0000)]]
    assert outcome.skipped == {"B": Skip(SkipReason.BUDGET_EXCEEDED)}
