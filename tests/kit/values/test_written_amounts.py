"""Amounts as people write them, compared with CLDR."""

import re
from decimal import Decimal

import pytest
from babel import Locale
from babel.numbers import parse_pattern

from kit.values.currency_symbols import _OWN, sign
from kit.values.money import digits
from kit.values.written_amounts import written

COUNTRIES = {"eur": "DE", "xaf": "CM", "xof": "CI", "xpf": "PF", "xcd": "AG", "ang": "CW"}
"""Of currencies of several countries, one of those that have it."""


@pytest.mark.parametrize(
    ("amount", "currency_code", "text"),
    [
        ("15.75", "gbp", "£15.75"),
        ("-1250", "gbp", "-£1,250.00"),
        ("15.75", "eur", "15,75\u00a0€"),
        ("-1234567.5", "eur", "-1.234.567,50\u00a0€"),
        ("1500", "jpy", "¥1,500"),
        ("0.125", "kwd", "KWD\u00a00.125"),
        ("1250", "usd", "$1,250.00"),
        ("1250", "cad", "CA$1,250.00"),
        ("1250", "sek", "1\u00a0250,00\u00a0SEK"),
        ("1250", "pln", "1\u00a0250,00\u00a0zł"),
        ("1250", "chf", "CHF\u00a01'250.00"),
        ("1234567.5", "inr", "₹12,34,567.50"),
        ("1250", "brl", "R$\u00a01.250,00"),
        ("0.005", "usd", "$0.01"),
        ("-0.004", "usd", "$0.00"),
        ("0", "jpy", "¥0"),
        ("100000000000", "usd", "$100,000,000,000.00"),
    ],
)
def test_an_amount_is_written_as_where_its_currency_is_at_home(amount: str, currency_code: str, text: str) -> None:
    assert written(Decimal(amount), currency_code) == text


@pytest.mark.once
@pytest.mark.parametrize("currency_code", sorted({*_OWN} - {"chf"}))
def test_every_currency_is_written_as_cldr_says(currency_code: str) -> None:
    """In the language of its country, or in English where that is written from right to left; with our sign."""
    locale = Locale.parse(f"und_{COUNTRIES.get(currency_code, currency_code[:2].upper())}")
    if locale.text_direction == "rtl":
        locale = Locale("en")
    pattern, amount = parse_pattern(locale.currency_formats["standard"].pattern), Decimal("1234567.5")
    pattern.frac_prec = (digits(currency_code), digits(currency_code))
    text = pattern.apply(amount, locale, numbering_system="latn")
    # CLDR's blanks of all widths are one here, and readers of its patterns set a sign of letters apart
    spaced = re.sub(r"[\u202f ]", "\u00a0", text)
    if sign(currency_code)[-1].isalpha():
        spaced = re.sub(r"¤(?=[0-9])", "¤\u00a0", spaced)
    assert written(amount, currency_code) == spaced.replace("¤", sign(currency_code).replace(" ", "\u00a0"))


def test_francs_are_written_as_cldr_says() -> None:
    """Babel takes the apostrophes between their digits for quotes, and leaves them out."""
    swiss = Locale("de", "CH")
    assert swiss.number_symbols["latn"]["group"] == "'"
    assert swiss.currency_formats["standard"].pattern.startswith("¤\u00a0#,##0.00")
    assert written(Decimal("1234567.5"), "chf") == "CHF\u00a01'234'567.50"


def test_no_two_currencies_have_the_same_sign() -> None:
    signs = {code: sign(code).rstrip(".").lower() for code in _OWN}
    assert len(set(signs.values())) == len(signs)
    assert {code: sign(code) for code in ("usd", "cad", "gbp", "pln", "czk", "sek", "dkk", "aed", "eth")} == {
        "usd": "$",
        "cad": "CA$",
        "gbp": "£",
        "pln": "zł",
        "czk": "Kč",
        "sek": "SEK",
        "dkk": "DKK",
        "aed": "AED",
        "eth": "ETH",
    }
