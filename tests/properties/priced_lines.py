"""Any lines of a cart, in any currency: small amounts and crooked rates, where rounding shows, and large ones."""

from fractions import Fraction
from math import floor

from hypothesis import strategies as st

from carts.arithmetic.line_totals import Line
from kit.values import money

CODES = st.sampled_from(("usd", "eur", "jpy", "kwd", "clf"))
UNITS = st.integers(0, 12) | st.integers(0, 300) | st.integers(0, 10**11)
RATES = st.lists(st.integers(0, 40 * 10_000) | st.integers(0, 1000 * 10_000), max_size=2)
"""At most two, as on every line: with three, largest remainder can give one less though there is more to share."""
QUANTITIES = st.integers(1, 12) | st.integers(1, 10_000)


def amounts(code: str) -> st.SearchStrategy[int]:
    """What the currency can pay, in 1/10,000."""
    return UNITS.map(lambda units: units * money.step(code))


@st.composite
def lines(draw: st.DrawFn, code: str) -> Line:
    quantity, unit_price = draw(QUANTITIES), draw(amounts(code))
    adjustments = draw(st.lists(amounts(code), max_size=2))
    if draw(st.booleans()):  # a price of which little remains, down to less than a cent a piece
        adjustments = [max(quantity * unit_price - draw(amounts(code)), 0)]
    return Line(quantity, unit_price, draw(st.booleans()), draw(RATES), adjustments)


def rounded(exact: Fraction, step: int) -> int:
    """Half-up, computed again."""
    return floor(exact / step + Fraction(1, 2)) * step
