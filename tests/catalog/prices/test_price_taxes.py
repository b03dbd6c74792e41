"""Amounts with and without tax, in major units here."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.prices.taxes import taxed
from kit.values import money

CASES = [
    # amount, currency, percent, inclusive: with tax and without
    ("19.5", "usd", "23", False, ("23.99", "19.5")),  # 23.985 is rounded half-up
    ("19.5", "usd", "23", True, ("19.5", "15.85")),
    ("0", "usd", "23", False, ("0", "0")),
    ("10", "usd", "0", True, ("10", "10")),
    ("0.01", "usd", "19", True, ("0.01", "0.01")),
    ("0.05", "usd", "10", False, ("0.06", "0.05")),
    ("100", "usd", "8.875", False, ("108.88", "100")),
    ("100", "usd", "0.0001", False, ("100", "100")),
    ("105", "jpy", "10", False, ("116", "105")),
    ("105", "jpy", "10", True, ("105", "95")),
    ("1.001", "kwd", "5", False, ("1.051", "1.001")),
    ("100000000000", "usd", "1000", False, ("1100000000000", "100000000000")),
]


def stored(amount: str) -> int:
    return int(Decimal(amount) * 10_000)


@pytest.mark.parametrize(("amount", "currency_code", "percent", "is_inclusive", "seen"), CASES)
def test_the_tax_is_added_or_taken_out(amount, currency_code, percent, is_inclusive, seen):
    both = taxed(stored(amount), rates=[stored(percent)], is_inclusive=is_inclusive, currency_code=currency_code)

    assert both == tuple(map(stored, seen))


@given(
    st.integers(0, 10**15), st.integers(0, 1000 * 10_000), st.booleans(), st.sampled_from(["usd", "jpy", "kwd", "clf"])
)
def test_it_is_what_exact_decimals_give(amount, rate, is_inclusive, currency_code):
    factor = 1 + Decimal(rate) / 1_000_000
    exact = Decimal(amount) / 10_000
    computed = money.rounded(exact / factor if is_inclusive else exact * factor, currency_code)

    both = taxed(amount, rates=[rate], is_inclusive=is_inclusive, currency_code=currency_code)

    assert (both.without_tax if is_inclusive else both.with_tax) == computed * 10_000
    assert (both.with_tax if is_inclusive else both.without_tax) == amount
