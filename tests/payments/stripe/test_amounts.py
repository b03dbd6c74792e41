"""Stripe's units. Source: https://docs.stripe.com/currencies."""

from decimal import Decimal

import pytest

from payments.providers.base import Declined
from payments.providers.stripe_amounts import major, minor


@pytest.mark.parametrize(
    ("amount", "currency_code", "units"),
    [
        ("10", "usd", 1000),
        ("0.01", "usd", 1),
        ("99999999.99", "eur", 9_999_999_999),
        ("500", "jpy", 500),
        ("10.50", "mga", 11),
        ("10.49", "mga", 10),
        *[("7", code, 7) for code in "bif clp djf gnf jpy kmf krw pyg rwf vnd vuv xaf xof xpf".split()],
        ("5.124", "kwd", 5120),
        ("5.125", "kwd", 5130),
        *[("1.23", code, 1230) for code in "bhd jod kwd omr tnd".split()],
        ("0.004", "kwd", 0),
        ("5", "isk", 500),
        ("5", "ugx", 500),
        ("10.45", "huf", 1045),
        ("800.45", "twd", 80_045),
    ],
)
def test_amounts_are_reported_in_stripes_units(amount: str, currency_code: str, units: int) -> None:
    assert minor(Decimal(amount), currency_code) == units
    assert minor(Decimal(amount), currency_code.upper()) == units


@pytest.mark.parametrize(
    ("units", "currency_code", "amount"),
    [
        (1000, "usd", "10.00"),
        (500, "jpy", "500"),
        (11, "mga", "11"),
        (5120, "kwd", "5.12"),
        (500, "isk", "5"),
        (500, "ugx", "5"),
        (1045, "huf", "10.45"),
    ],
)
def test_stripes_units_are_reported_in_major_units(units: int, currency_code: str, amount: str) -> None:
    assert major(units, currency_code) == Decimal(amount)


@pytest.mark.parametrize("currency_code", ["iqd", "lyd", "clf", "uyw", "uyi"])
def test_a_currency_of_which_stripe_does_not_say_how_it_counts_is_declined(currency_code: str) -> None:
    with pytest.raises(Declined, match=f"Stripe does not support {currency_code.upper()}"):
        minor(Decimal(1), currency_code)
