"""Money: exact, in major units, with the digits of its currency."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from kit.errors import InvalidData
from kit.values import money
from kit.values.money import LARGEST, MoneyField


@pytest.mark.parametrize("code", ["usd", "USD", "Usd"])
def test_a_currency_is_kept_in_lower_case(code: str) -> None:
    assert money.currency(code) == "usd"


@pytest.mark.parametrize("code", ["", "us", "usdx", "zzz", "u\0d", "$"])
def test_what_iso_4217_does_not_list_is_no_currency(code: str) -> None:
    with pytest.raises(InvalidData, match="of field 'currency' is not an ISO 4217 currency code"):
        money.currency(code, field="currency")


@pytest.mark.parametrize(
    ("code", "digits"),
    [("usd", 2), ("EUR", 2), ("jpy", 0), ("krw", 0), ("isk", 0), ("kwd", 3), ("bhd", 3), ("clf", 4), ("uyw", 4)],
)
def test_digits_are_those_of_iso_4217(code: str, digits: int) -> None:
    assert money.digits(code) == digits


@pytest.mark.parametrize(
    ("amount", "code", "rounded"),
    [
        ("1.005", "usd", "1.01"),
        ("1.004", "usd", "1.00"),
        ("-1.005", "usd", "-1.01"),
        ("0.5", "jpy", "1"),
        ("0.0005", "kwd", "0.001"),
        ("2", "usd", "2.00"),
    ],
)
def test_rounding_is_half_up(amount: str, code: str, rounded: str) -> None:
    assert str(money.rounded(Decimal(amount), code)) == rounded


@pytest.mark.parametrize(
    ("value", "code", "amount"),
    [
        (10, "usd", "10.00"),
        (10.5, "usd", "10.50"),
        (0.1, "usd", "0.10"),
        ("33.77", "usd", "33.77"),
        (Decimal("1.230"), "usd", "1.23"),
        (1e5, "jpy", "100000"),
        (-5, "usd", "-5.00"),
        (0.001, "kwd", "0.001"),
        (LARGEST, "usd", "100000000000.00"),
    ],
)
def test_an_amount_that_the_currency_can_pay(value: str | float | Decimal, code: str, amount: str) -> None:
    assert str(money.exact(value, code)) == amount


@pytest.mark.parametrize(
    ("value", "code"), [(33.775, "usd"), (0.5, "jpy"), ("0.0001", "kwd"), (0.1 + 0.2, "usd"), ("1e-400", "usd")]
)
def test_an_amount_with_too_many_digits_is_refused(value: str | float, code: str) -> None:
    with pytest.raises(InvalidData, match=f"field 'value' has more than {money.digits(code)} decimals of {code}"):
        money.exact(value, code, field="value")


@pytest.mark.parametrize(
    ("number", "meant"),
    [
        (0.1 + 0.2, "0.3"),  # 0.30000000000000004
        (3 * 1.1, "3.3"),  # 3.3000000000000003
        (4.35 * 100, "435"),  # 434.99999999999994
        (0.3 + 9e-10, "0.3"),
        (0.3 - 9e-10, "0.3"),
        (0.3000000011, "0.3000000011"),
        (33.775, "33.775"),
        (1.00001, "1.00001"),
        (99_999_999_999.98997, "99999999999.99"),  # two of the steps that a float has there
        (99_999_999_999.98994, "99999999999.98994"),  # four of them
        (1e300, "1E+300"),
        (10**400, "1" + "0" * 400),
        (-0.1 - 0.2, "-0.3"),
        (Decimal("0.30000000000000004"), "0.3"),
        (float("inf"), "Infinity"),
    ],
)
def test_binary_noise_is_taken_off_a_number(number: float | Decimal, meant: str) -> None:
    assert money.without_noise(number) == Decimal(meant)


@pytest.mark.parametrize("value", [LARGEST + 1, -LARGEST - 1, 10**30, 1e300, "NaN", "sNaN", "Infinity", float("-inf")])
def test_an_amount_beyond_the_bounds_is_refused(value: str | float | Decimal) -> None:
    with pytest.raises(InvalidData, match="field 'value' is out of bounds"):
        money.exact(value, "usd", field="value")


@pytest.mark.parametrize("value", ["", "abc", "1,5", "$5", "0x10"])
def test_what_is_no_number_is_refused(value: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        money.exact(value, "usd", field="value")
    assert refusal.value.message == f"Expected type: 'number' for field 'value', got: '{value}'"


@pytest.mark.parametrize(
    ("total", "weights", "code", "parts"),
    [
        ("10.00", [1, 1], "usd", ["5.00", "5.00"]),
        ("10.00", [1, 1, 1], "usd", ["3.34", "3.33", "3.33"]),
        ("0.02", [1, 1, 1], "usd", ["0.01", "0.01", "0.00"]),
        ("100", [1, 2], "jpy", ["33", "67"]),
        ("9.99", [3, 0, 1], "usd", ["7.49", "0.00", "2.50"]),
        ("-10.00", [1, 1, 1], "usd", ["-3.34", "-3.33", "-3.33"]),
        ("7.00", [5], "usd", ["7.00"]),
        ("0.05", [1] * 10, "usd", ["0.01"] * 5 + ["0.00"] * 5),
        ("-0.05", [1] * 10, "usd", ["-0.01"] * 5 + ["0.00"] * 5),
        ("10.00", [1, 1, 1, 0], "usd", ["3.34", "3.33", "3.33", "0.00"]),
        ("10.00", [0, 0, 0], "usd", ["3.34", "3.33", "3.33"]),
        ("0", [1, 1], "kwd", ["0.000", "0.000"]),
        ("1.00", ["0.25", "0.5", "0.25"], "usd", ["0.25", "0.50", "0.25"]),
        (LARGEST, [LARGEST, LARGEST, LARGEST], "clf", ["33333333333.3334"] + ["33333333333.3333"] * 2),
        # half of 25 cents by weights whose products Decimal's 28 digits cannot hold
        ("0.25", [f"{LARGEST - 1}.0001", f"{LARGEST - 1}.0001"], "usd", ["0.13", "0.12"]),
    ],
)
def test_shares_lose_no_cent_and_none_turns_its_sign(
    total: str | Decimal, weights: list[int | str], code: str, parts: list[str]
) -> None:
    shared = money.shares(Decimal(total), [Decimal(weight) for weight in weights], code)
    assert [str(share) for share in shared] == parts


@pytest.mark.parametrize(("total", "weights"), [("1.00", []), ("1.00", [2, -1]), ("0.005", [1, 1])])
def test_what_cannot_be_shared_is_refused(total: str, weights: list[int]) -> None:
    with pytest.raises(ValueError, match=r"cannot be split|is not an amount"):
        money.shares(Decimal(total), [Decimal(weight) for weight in weights], "usd")


@pytest.mark.parametrize(("code", "step"), [("jpy", 10_000), ("USD", 100), ("kwd", 10), ("clf", 1)])
def test_the_smallest_amount_of_a_currency_in_ten_thousandths(code: str, step: int) -> None:
    assert money.step(code) == step


class TestMoneyField:
    field: MoneyField = MoneyField()

    @pytest.mark.parametrize(
        ("amount", "stored"),
        [
            ("0", 0),
            ("10.5", 105_000),
            ("-0.0001", -1),
            ("1.1", 11_000),
            (LARGEST, 10**15),
            (-LARGEST, -(10**15)),
            (None, None),
        ],
    )
    def test_an_amount_is_stored_in_ten_thousandths_and_comes_back_the_same(
        self, amount: str | Decimal | None, stored: int | None
    ) -> None:
        assert self.field.get_prep_value(amount) == stored
        assert self.field.from_db_value(stored) == (None if amount is None else Decimal(amount))

    @pytest.mark.parametrize("amount", ["0.00001", LARGEST + 1, -LARGEST - 1, "NaN", "Infinity"])
    def test_what_the_ledger_cannot_hold_is_refused_from_every_writer(self, amount: str | Decimal) -> None:
        with pytest.raises(ValueError, match="not an amount that the ledger can hold"):
            self.field.get_prep_value(amount)

    def test_what_is_no_number_is_no_amount(self) -> None:
        with pytest.raises(ValidationError):
            self.field.to_python("ten")
