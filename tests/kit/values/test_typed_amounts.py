"""Amounts as people type them, as a table: what each text is, by the decimals that are possible."""

from decimal import Decimal

import pytest

from kit.values.currency_symbols import _OWN
from kit.values.typed_amounts import ANY, PERCENT, NotRead, Scale, read, scale_of, without_sign
from kit.values.written_amounts import written

EUR, JPY, KWD, CLF = map(scale_of, ("eur", "jpy", "kwd", "clf"))
TWO_READINGS = {
    "3.400": (EUR, "3.40 or 3400.00"),
    "3,400": (EUR, "3.40 or 3400.00"),
    "1,250": (EUR, "1.25 or 1250.00"),
    "-1.250": (EUR, "-1.25 or -1250.00"),
    "1.234": (CLF, "1.2340 or 1234.0000"),
    "1.125": (ANY, "1.1250 or 1125.0000"),
}


@pytest.mark.parametrize(
    ("text", "scale", "number"),
    [
        ("3,40", EUR, "3.40"),
        ("3.40", EUR, "3.40"),
        ("3,4", EUR, "3.4"),
        ("340", EUR, "340"),
        ("1.234,50", EUR, "1234.50"),
        ("1,234.50", EUR, "1234.50"),
        ("1 234,50", EUR, "1234.50"),
        ("1\u00a0234,50", EUR, "1234.50"),
        ("1\u202f234,50", EUR, "1234.50"),
        ("1'234.50", EUR, "1234.50"),
        ("1\u2019234.50", EUR, "1234.50"),
        ("1'234,50", EUR, "1234.50"),
        ("1 234.50", EUR, "1234.50"),
        ("1.234.567", EUR, "1234567"),
        ("1,234,567.8", EUR, "1234567.8"),
        ("1 234", EUR, "1234"),
        ("1'234'567", EUR, "1234567"),
        ("12345,6", EUR, "12345.6"),
        (" 3,40 ", EUR, "3.40"),
        ("\u00a03,40", EUR, "3.40"),
        (",5", EUR, "0.5"),
        (".5", EUR, "0.5"),
        ("5.", EUR, "5"),
        ("+3,40", EUR, "3.40"),
        ("-3,40", EUR, "-3.40"),
        ("\u22123,40", EUR, "-3.40"),
        ("-1.234,50", EUR, "-1234.50"),
        # Three decimals that cents cannot pay are thousands, unless nothing else is left.
        ("1,234", EUR, "1234"),
        ("3.405", EUR, "3405"),
        ("1234.567", EUR, "1234.567"),
        ("0.400", EUR, "0.4"),
        ("0,125", EUR, "0.125"),
        ("3.4000", EUR, "3.4"),
        ("1,234", JPY, "1234"),
        ("1.234", JPY, "1234"),
        ("1,000", JPY, "1000"),
        ("1234.00", JPY, "1234"),
        ("1.5", JPY, "1.5"),
        ("1,234", KWD, "1.234"),
        ("3.400", KWD, "3.400"),
        ("123,456", KWD, "123.456"),
        ("1,234,567", KWD, "1234567"),
        ("1,234.500", KWD, "1234.5"),
        ("1 234", KWD, "1234"),
        ("7.125", PERCENT, "7.125"),
        ("19,000", PERCENT, "19"),
        ("100,000", PERCENT, "100"),
        ("9,975", PERCENT, "9.975"),
        ("345.678", PERCENT, "345.678"),
        ("1.125", Scale(4, Decimal(1000)), "1.125"),
    ],
)
def test_a_text_is_the_one_number_that_it_can_be(text: str, scale: Scale, number: str) -> None:
    assert read(text, scale) == Decimal(number)


@pytest.mark.parametrize("text", TWO_READINGS)
def test_a_text_that_can_be_two_numbers_is_refused_with_both(text: str) -> None:
    scale, both = TWO_READINGS[text]
    with pytest.raises(NotRead, match="Enter one of the two") as refusal:
        read(text, scale)
    assert str(refusal.value) == f"'{text}' can be {both}. Enter one of the two."


@pytest.mark.parametrize("scale", [EUR, CLF, ANY])
def test_each_of_the_two_can_be_entered(scale: Scale) -> None:
    with pytest.raises(NotRead) as refusal:
        read("3.400", scale)
    one, other = (
        str(refusal.value).removeprefix("'3.400' can be ").removesuffix(". Enter one of the two.").split(" or ")
    )
    assert [read(one, scale), read(other, scale)] == [Decimal("3.4"), Decimal(3400)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "-",
            ".",
            ",",
            "abc",
            "1e3",
            "1_0",
            "\u0663",
            "\uff13,40",
            "nan",
            "inf",
            "3,40 \u20ac",
            "--1",
            "1..2",
        ),
        *(
            "1,2,3",
            "12,34,56",
            "12.34.567",
            "1.23.456",
            "1 23",
            "1  234",
            "1.234.56",
            "1,234,56",
            "1.234,567,8",
            "1'234 567",
        ),
        *("0,123,456", "3 40", "1\t234", "+", "1,234.567.8"),
    ],
)
def test_anything_else_is_no_number(text: str) -> None:
    with pytest.raises(NotRead, match=r"^Enter a number\.$"):
        read(text, EUR)


def test_a_long_number_is_not_rounded() -> None:
    assert read("1." + "0" * 40 + "1", EUR) == Decimal("1." + "0" * 40 + "1")
    assert read("-" + "9" * 40, EUR) == Decimal("-" + "9" * 40)


def test_a_text_that_no_number_needs_is_refused_before_it_is_computed_with() -> None:
    with pytest.raises(NotRead, match=r"^Enter at most 500 characters\.$"):
        read("1" + "0" * 1_000_002, EUR)


@pytest.mark.once
@pytest.mark.parametrize("currency_code", sorted(_OWN))
def test_what_is_written_can_be_typed(currency_code: str) -> None:
    """An amount that a page shows can be pasted into a field."""
    for number in ("0", "15", "-15", "1250", "1234567", "-98765432"):
        typed = without_sign(written(Decimal(number), currency_code), currency_code)
        assert read(typed, scale_of(currency_code)) == Decimal(number)


@pytest.mark.parametrize(
    ("text", "currency_code", "number"),
    [
        ("£15.75", "gbp", "15.75"),
        ("15.75 £", "gbp", "15.75"),
        ("GBP 15.75", "gbp", "15.75"),
        ("15,75\u00a0€", "eur", "15.75"),
        ("- 15,75 eur", "eur", "-15.75"),
        ("-£3", "gbp", "-3"),
        ("£-3", "gbp", "-3"),
        ("$5", "cad", "5"),
        ("CA$5", "cad", "5"),
        ("kr 1 250", "sek", "1250"),
        ("1.250,00 kr.", "dkk", "1250"),
        ("¥1,500", "jpy", "1500"),
        ("₹12,34,567.50", "inr", "1234567.50"),
        ("1,00,000", "inr", "100000"),
    ],
)
def test_an_amount_may_have_the_sign_of_its_currency(text: str, currency_code: str, number: str) -> None:
    assert read(without_sign(text, currency_code), scale_of(currency_code)) == Decimal(number)


@pytest.mark.parametrize("text", ["$15.75", "€15.75", "£", "£ £3", "GBP£3", "3 GB"])
def test_the_sign_of_another_currency_is_no_number(text: str) -> None:
    with pytest.raises(NotRead):
        read(without_sign(text, "gbp"), scale_of("gbp"))
