"""Laws of totals, for any lines, computed again in fractions."""

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines, kept_totals
from carts.arithmetic.totals import CartTotals, add_up_cart
from kit.values import money
from kit.values.money import HUNDRED_PERCENT
from tests.properties.priced_lines import CODES, amounts, lines, rounded

LINE = CODES.flatmap(lambda code: st.tuples(st.just(code), lines(code)))
CART = CODES.flatmap(
    lambda code: st.tuples(
        st.just(code),
        st.lists(lines(code), max_size=5),
        st.lists(lines(code), max_size=2),
        st.lists(amounts(code), max_size=3),
    )
)


def add_up(line: Line, code: str) -> LineTotals:
    return add_up_lines([line], currency_code=code)[0]


def assert_lawful(totals: LineTotals | CartTotals, paid: int = 0) -> None:
    assert totals.total == totals.subtotal - totals.discount_subtotal + totals.tax_total - paid
    assert totals.original_total == totals.original_subtotal + totals.original_tax_total
    assert totals.original_subtotal == totals.subtotal
    assert totals.discount_total == totals.discount_subtotal + totals.discount_tax_total
    assert totals.discount_total == totals.original_total - totals.total - paid


@given(LINE)
def test_the_parts_of_a_line_make_the_whole(case: tuple[str, Line]) -> None:
    code, line = case
    totals = add_up(line, code)
    assert_lawful(totals)
    numbers = [value for value in totals if isinstance(value, int)]
    assert min(numbers) >= 0
    assert not any(number % money.step(code) for number in numbers)
    assert len(totals.tax_lines) == len(line.rates)
    assert sum(tax.total for tax in totals.tax_lines) == totals.tax_total
    assert sum(tax.subtotal for tax in totals.tax_lines) == totals.original_tax_total
    assert all(0 <= tax.total <= tax.subtotal for tax in totals.tax_lines)


@given(LINE)
def test_a_discount_is_what_was_asked_for_and_at_most_the_price(case: tuple[str, Line]) -> None:
    code, line = case
    totals = add_up(line, code)
    taken = totals.discount_total if line.is_tax_inclusive else totals.discount_subtotal
    assert taken == min(sum(line.adjustments), line.unit_price * line.quantity)


@given(LINE)
def test_a_price_with_tax_inside_stands_and_its_tax_comes_last(case: tuple[str, Line]) -> None:
    code, line = case
    step, price = money.step(code), line.unit_price * line.quantity
    totals = add_up(line._replace(is_tax_inclusive=True), code)
    assert totals.original_total == price
    for gross, net in ((price, totals.subtotal), (totals.total, totals.total - totals.tax_total)):
        assert net == rounded(Fraction(gross * HUNDRED_PERCENT, HUNDRED_PERCENT + sum(line.rates)), step)


@given(LINE)
def test_each_tax_on_top_is_the_rounded_one_of_the_discounted_amount(case: tuple[str, Line]) -> None:
    code, line = case
    step = money.step(code)
    totals = add_up(line._replace(is_tax_inclusive=False), code)
    assert totals.subtotal == line.unit_price * line.quantity
    left = totals.subtotal - totals.discount_subtotal
    assert totals.tax_lines == [
        (
            rounded(Fraction(left * rate, HUNDRED_PERCENT), step),
            rounded(Fraction(totals.subtotal * rate, HUNDRED_PERCENT), step),
        )
        for rate in line.rates
    ]


@given(LINE)
def test_taxes_inside_and_on_top_agree_within_rounding(case: tuple[str, Line]) -> None:
    code, line = case
    inside = add_up(line._replace(is_tax_inclusive=True), code)
    # Half a step by rounding the net amount, which the tax carries on; half by rounding each tax.
    bound = money.step(code) * (1 + Fraction(sum(line.rates), HUNDRED_PERCENT) + len(line.rates)) / 2
    for total, net in (
        (inside.original_total, inside.subtotal),
        (inside.total, inside.total - inside.tax_total),
    ):
        assert abs(add_up(Line(1, net, False, line.rates), code).total - total) <= bound


@given(LINE, st.integers(1, 300))
def test_a_larger_discount_never_costs_more(case: tuple[str, Line], more: int) -> None:
    code, line = case
    totals = add_up(line, code)
    reduced = add_up(line._replace(adjustments=[*line.adjustments, more * money.step(code)]), code)
    assert reduced.total <= totals.total
    assert reduced.tax_total <= totals.tax_total
    assert reduced.discount_total >= totals.discount_total
    assert reduced.original_total == totals.original_total


@given(LINE, st.integers(1, 300), st.booleans())
def test_dearer_or_more_pieces_never_cost_less(case: tuple[str, Line], more: int, is_dearer: bool) -> None:
    code, line = case
    dearer = line._replace(unit_price=line.unit_price + more * money.step(code))
    totals, grown = (
        add_up(line, code),
        add_up(dearer if is_dearer else line._replace(quantity=line.quantity + more), code),
    )
    assert grown.original_total >= totals.original_total
    assert grown.subtotal >= totals.subtotal
    assert grown.total >= totals.total


@given(LINE, st.integers(1, 40 * 10_000))
def test_one_more_tax_is_never_less_tax(case: tuple[str, Line], rate: int) -> None:
    code, line = case
    totals, taxed = (add_up(each, code) for each in (line, line._replace(rates=[*line.rates, rate])))
    assert taxed.original_tax_total >= totals.original_tax_total
    assert taxed.original_total >= totals.original_total
    assert taxed.subtotal <= totals.subtotal


@given(LINE.filter(lambda case: case[1].quantity <= 50))
def test_pieces_returned_one_by_one_give_back_the_total(case: tuple[str, Line]) -> None:
    code, line = case
    worth = [kept_totals(line, units, currency_code=code).total for units in range(line.quantity, -1, -1)]
    totals = add_up(line, code)
    assert (worth[0], worth[-1]) == (totals.total, 0) == (totals.refundable_total, 0)
    assert worth[0] - worth[1] == totals.refundable_total_per_unit
    assert sorted(worth, reverse=True) == worth


@given(CART, st.randoms(use_true_random=False))
def test_a_cart_is_the_sum_of_its_lines_in_any_order(
    case: tuple[str, list[Line], list[Line], list[int]], random: Random
) -> None:
    code, *sides, credit_lines = case
    items, shipping = (add_up_lines(side, currency_code=code) for side in sides)
    totals = add_up_cart(items, shipping, credit_lines)
    assert_lawful(totals, totals.credit_line_total)
    assert min(totals) >= 0
    for part, made_of in (("item", items), ("shipping", shipping)):
        for name in ("total", "subtotal", "tax_total"):
            assert getattr(totals, f"{part}_{name}") == sum(getattr(line, name) for line in made_of)
            originals = sum(getattr(line, f"original_{name}") for line in made_of)
            assert getattr(totals, f"original_{part}_{name}") == originals
    for each in (items, shipping, credit_lines):
        random.shuffle(each)
    assert add_up_cart(items, shipping, credit_lines) == totals


@given(CART)
def test_what_storefronts_show_of_a_cart_adds_up(case: tuple[str, list[Line], list[Line], list[int]]) -> None:
    code, *sides, credit_lines = case
    items, shipping = (add_up_lines(side, currency_code=code) for side in sides)
    totals = add_up_cart(items, shipping, credit_lines)
    due = totals.item_subtotal + totals.shipping_subtotal + totals.tax_total - totals.discount_subtotal
    assert due == sum(line.total for line in [*items, *shipping])
    assert totals.credit_line_total == totals.gift_card_total == min(sum(credit_lines), due)
    assert totals.total == due - totals.credit_line_total
