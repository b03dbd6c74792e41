"""Amounts as people type them, as a table: what each text is, by the decimals that are possible."""

from decimal import Decimal

import pytest

from kit.values.typed_amounts import ANY, PERCENT, NotRead, Scale, read, scale_of

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
        *("1,2,3", "12,34,567", "1.23.456", "1 23", "1  234", "1.234.56", "1,234,56", "1.234,567,8", "1'234 567"),
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
