"""Laws of totals and discounts, for any lines, told again in fractions."""

from fractions import Fraction
from math import floor

from hypothesis import given
from hypothesis import strategies as st

from carts.discounts import DiscountedLine, Offer, take_off
from carts.line_totals import Line, LineTotals, add_up_lines
from carts.states import PromotionTarget, PromotionType
from carts.totals import CartTotals, add_up_cart
from commerce.core import money

WHOLE = 100 * 10_000
CODES = st.sampled_from(("usd", "eur", "jpy", "kwd", "clf"))
# small amounts and crooked rates, where rounding shows; large ones, where a float would
AMOUNTS = st.integers(0, 300) | st.integers(0, 10**11)
RATES = st.lists(st.integers(0, 40 * 10_000) | st.integers(0, 1000 * 10_000), max_size=3)
QUANTITIES = st.integers(1, 12) | st.integers(1, 10_000)


@st.composite
def priced(draw: st.DrawFn, code: str, rates: st.SearchStrategy[list[int]] = RATES, **fixed: bool) -> Line:
    """A line whose amounts the currency can pay."""
    step, quantity = money.step(code), draw(QUANTITIES)
    unit_price = draw(AMOUNTS) * step
    adjustments = [amount * step for amount in draw(st.lists(AMOUNTS, max_size=2))]
    if draw(st.booleans()):
        adjustments = [amount % (quantity * unit_price + step) for amount in adjustments]
    inclusive = fixed.get("is_tax_inclusive", draw(st.booleans()))
    return Line(quantity, unit_price, inclusive, draw(rates), adjustments)


ONE = CODES.flatmap(lambda code: st.tuples(st.just(code), priced(code)))
SEVERAL = CODES.flatmap(
    lambda code: st.tuples(
        st.just(code),
        st.lists(priced(code), max_size=5),
        st.lists(priced(code), max_size=2),
        st.lists(AMOUNTS.map(lambda amount: amount * money.step(code)), max_size=3),
    )
)


def add_up(line: Line, code: str) -> LineTotals:
    return add_up_lines([line], currency_code=code)[0]


def rounded(exact: Fraction, step: int) -> int:
    return floor(exact / step + Fraction(1, 2)) * step


def obeys(totals: LineTotals | CartTotals, paid: int = 0) -> None:
    assert totals.total == totals.subtotal - totals.discount_subtotal + totals.tax_total - paid
    assert totals.original_total == totals.original_subtotal + totals.original_tax_total
    assert totals.original_subtotal == totals.subtotal
    assert totals.discount_total == totals.discount_subtotal + totals.discount_tax_total
    assert totals.discount_total == totals.original_total - totals.total - paid
    assert totals.item_total - totals.item_tax_total <= totals.item_subtotal


@given(ONE)
def test_the_parts_of_a_line_make_the_whole(given_line: tuple[str, Line]) -> None:
    code, line = given_line
    totals = add_up(line, code)
    obeys(totals)
    numbers = [value for value in totals if isinstance(value, int)]
    assert min(numbers) >= 0
    assert not any(number % money.step(code) for number in numbers)
    assert sum(tax.total for tax in totals.tax_lines) == totals.tax_total
    assert sum(tax.subtotal for tax in totals.tax_lines) == totals.original_tax_total
    assert all(0 <= tax.total <= tax.subtotal for tax in totals.tax_lines)
    assert len(totals.tax_lines) == len(line.rates)


@given(ONE)
def test_a_discount_is_what_was_asked_for_and_at_most_the_subtotal(given_line: tuple[str, Line]) -> None:
    code, line = given_line
    totals = add_up(line, code)
    assert totals.discount_subtotal == min(sum(line.adjustments), totals.subtotal)


@given(ONE)
def test_a_price_stands_and_its_taxes_are_the_rounded_ones(given_line: tuple[str, Line]) -> None:
    code, line = given_line
    step, price, whole = money.step(code), line.unit_price * line.quantity, WHOLE + sum(line.rates)
    totals = add_up(line, code)
    left = totals.subtotal - totals.discount_subtotal
    if line.is_tax_inclusive:
        assert totals.original_total == price
        assert totals.subtotal == rounded(Fraction(price * WHOLE, whole), step)
        if totals.discount_subtotal:
            assert totals.total == rounded(Fraction(price * left, totals.subtotal), step)
    else:
        assert totals.subtotal == price
        assert [tax.total for tax in totals.tax_lines] == [
            rounded(Fraction(left * rate, WHOLE), step) for rate in line.rates
        ]


@given(ONE)
def test_a_line_with_its_tax_inside_agrees_with_its_twin_within_rounding(given_line: tuple[str, Line]) -> None:
    code, line = given_line
    inside = add_up(line._replace(is_tax_inclusive=True), code)
    outside = add_up(Line(1, inside.subtotal, False, line.rates, line.adjustments), code)
    assert (outside.subtotal, outside.discount_subtotal) == (inside.subtotal, inside.discount_subtotal)
    # half a step by rounding the amount without tax, carried into the tax, and half by rounding each tax
    bound = money.step(code) * (1 + Fraction(sum(line.rates), WHOLE) + len(line.rates) + 1) / 2
    assert abs(outside.original_total - inside.original_total) <= bound
    assert abs(outside.total - inside.total) <= bound


@given(ONE, st.integers(1, 300))
def test_dearer_more_or_less_discounted_never_costs_less(given_line: tuple[str, Line], more: int) -> None:
    code, line = given_line
    totals, extra = add_up(line, code), more * money.step(code)
    reduced = add_up(line._replace(adjustments=[*line.adjustments, extra]), code)
    assert (reduced.total, reduced.tax_total) <= (totals.total, totals.tax_total)
    assert reduced.tax_total <= totals.tax_total
    assert reduced.discount_total >= totals.discount_total
    for larger in (line._replace(unit_price=line.unit_price + extra), line._replace(quantity=line.quantity + more)):
        grown = add_up(larger, code)
        assert grown.original_total >= totals.original_total
        assert grown.subtotal >= totals.subtotal
        if len(line.rates) <= 1 or not line.is_tax_inclusive:
            assert grown.total >= totals.total


@given(ONE, st.integers(1, 40 * 10_000))
def test_a_higher_rate_is_never_less_tax(given_line: tuple[str, Line], more: int) -> None:
    code, line = given_line
    totals, taxed = (add_up(each, code) for each in (line, line._replace(rates=[*line.rates, more])))
    assert taxed.original_tax_total >= totals.original_tax_total
    assert taxed.original_total >= totals.original_total
    assert taxed.subtotal <= totals.subtotal


@given(ONE.filter(lambda given_line: given_line[1].quantity <= 50))
def test_pieces_returned_one_by_one_give_back_the_total(given_line: tuple[str, Line]) -> None:
    code, line = given_line
    steps = [add_up(line._replace(returned_quantity=returned), code) for returned in range(line.quantity + 1)]
    assert steps[0].refundable_total == steps[0].total
    assert steps[-1].refundable_total == 0
    for before, after in zip(steps, steps[1:], strict=False):
        assert before.refundable_total - before.refundable_total_per_unit == after.refundable_total
        assert after.refundable_total >= 0


@given(SEVERAL, st.randoms(use_true_random=False))
def test_a_cart_is_the_sum_of_its_lines_in_any_order(
    cart: tuple[str, list[Line], list[Line], list[int]], random
) -> None:
    code, lines, methods, credit_lines = cart
    items, shipping = (add_up_lines(some, currency_code=code) for some in (lines, methods))
    totals = add_up_cart(items, shipping, credit_lines)
    due = sum(line.total for line in [*items, *shipping])
    assert totals.credit_line_total == totals.gift_card_total == min(sum(credit_lines), due)
    obeys(totals, totals.credit_line_total)
    assert min(totals) >= 0
    for name in ("total", "subtotal", "tax_total"):
        for part, made_of in (("item", items), ("shipping", shipping)):
            assert getattr(totals, f"{part}_{name}") == sum(getattr(line, name) for line in made_of)
            original = sum(getattr(line, f"original_{name}") for line in made_of)
            assert getattr(totals, f"original_{part}_{name}") == original
    assert totals.total == (
        totals.item_subtotal
        + totals.shipping_subtotal
        + totals.tax_total
        - totals.discount_subtotal
        - totals.credit_line_total
    )
    for some in (items, shipping, credit_lines):
        random.shuffle(some)
    assert add_up_cart(items, shipping, credit_lines) == totals


PRODUCTS = st.sampled_from(("tea", "mug", None))
OFFERS = st.builds(
    Offer,
    st.just("promo"),
    st.sampled_from(PromotionType),
    st.sampled_from(PromotionTarget),
    st.integers(1, 100 * 10_000),
    st.frozensets(st.sampled_from(("tea", "mug")), max_size=1),
)
DISCOUNTED = CODES.flatmap(
    lambda code: st.tuples(
        st.just(code),
        st.lists(
            st.builds(
                DiscountedLine,
                AMOUNTS.map(lambda amount: amount * money.step(code)),
                QUANTITIES,
                PRODUCTS,
                st.booleans(),
            ),
            max_size=8,
        ),
    )
)


def taken_by_line(lines: list[DiscountedLine], offers: list[Offer], code: str) -> list[int]:
    return [sum(taken.amount for taken in line) for line in take_off(lines, offers, currency_code=code)]


@given(DISCOUNTED, st.lists(OFFERS, max_size=4))
def test_promotions_never_take_a_line_below_nothing_nor_what_is_not_theirs(
    cart: tuple[str, list[DiscountedLine]], offers: list[Offer]
) -> None:
    code, lines = cart
    taken = take_off(lines, offers, currency_code=code)
    assert len(taken) == len(lines)
    for line, parts in zip(lines, taken, strict=True):
        assert all(part.amount > 0 and part.amount % money.step(code) == 0 for part in parts)
        assert sum(part.amount for part in parts) <= (line.subtotal if line.is_discountable else 0)
        theirs = [each for each in offers if not each.product_ids or line.product_id in each.product_ids]
        assert len(parts) <= len(theirs)


@given(DISCOUNTED, OFFERS)
def test_one_promotion_takes_exactly_what_it_says(cart: tuple[str, list[DiscountedLine]], offer: Offer) -> None:
    code, lines = cart
    step = money.step(code)
    its = [line.is_discountable and (not offer.product_ids or line.product_id in offer.product_ids) for line in lines]
    bases = [line.subtotal if mine else 0 for line, mine in zip(lines, its, strict=True)]
    taken = taken_by_line(lines, [offer], code)

    def of(amount: int, pieces: int) -> int:
        exact = Fraction(amount * offer.value, WHOLE) if offer.type == "percentage" else Fraction(offer.value * pieces)
        return min(rounded(exact, step), amount)

    if offer.target == "items":
        assert taken == [of(base, line.quantity) for base, line in zip(bases, lines, strict=True)]
    else:
        assert sum(taken) == of(sum(bases), 1)
        assert sorted(taken_by_line(lines[::-1], [offer], code)) == sorted(taken) or sum(taken) == sum(
            taken_by_line(lines[::-1], [offer], code)
        )


@given(DISCOUNTED, OFFERS, st.integers(1, 100_000))
def test_a_larger_promotion_never_takes_less(cart: tuple[str, list[DiscountedLine]], offer: Offer, more: int) -> None:
    code, lines = cart
    larger = offer._replace(value=offer.value + more)
    assert sum(taken_by_line(lines, [larger], code)) >= sum(taken_by_line(lines, [offer], code))


@given(DISCOUNTED, st.lists(OFFERS, max_size=3), st.data())
def test_what_promotions_take_is_what_the_cart_is_discounted(
    cart: tuple[str, list[DiscountedLine]], offers: list[Offer], data: st.DataObject
) -> None:
    code, _ = cart
    priced_lines = data.draw(st.lists(priced(code), max_size=5))
    plain = [line._replace(adjustments=()) for line in priced_lines]
    seen = [
        DiscountedLine(totals.subtotal, line.quantity, data.draw(PRODUCTS))
        for line, totals in zip(plain, add_up_lines(plain, currency_code=code), strict=True)
    ]
    taken = take_off(seen, offers, currency_code=code)
    reduced = [
        line._replace(adjustments=[part.amount for part in parts]) for line, parts in zip(plain, taken, strict=True)
    ]
    totals = add_up_cart(add_up_lines(reduced, currency_code=code))
    assert totals.discount_subtotal == sum(part.amount for parts in taken for part in parts)
    assert totals.total >= 0
