"""Numbers and nested objects in a shop file."""

from decimal import Decimal

import pytest

from kit.domain.absent import ABSENT
from kit.shop_file.problems import Problems
from kit.shop_file.values import (
    Amount,
    Entry,
    Number,
    Object,
    Objects,
    Percent,
    Text,
    Texts,
    Value,
    read_object,
    written,
)

RATE = {"country_code": Text(required=True), "rate": Percent(required=True)}


def reported(field: Value, raw: object) -> list[str]:
    problems = Problems()
    assert field.read(raw, "x", problems) is ABSENT
    assert problems.count == len(problems.lines)
    return problems.lines


def read(field: Value, raw: object) -> object:
    problems = Problems()
    value = field.read(raw, "x", problems)
    assert problems.lines == []
    return value


@pytest.mark.parametrize(("raw", "amount"), [
    (10, "10"), (Decimal("10.50"), "10.5"), (Decimal("0.0001"), "0.0001"), (0, "0"), (10**11, "100000000000"),
    (Decimal("1e3"), "1000"), (Decimal("1.00000000"), "1"),
])  # fmt: skip
def test_an_amount_is_exact(raw, amount):
    value = read(Amount(), raw)
    assert isinstance(value, Decimal)
    assert value == Decimal(amount)


@pytest.mark.parametrize(("raw", "problem"), [
    ("ten", 'expected a number, got "ten"'),
    (True, "expected a number, got true"),
    (None, "expected a number, got null"),
    ([1], "expected a number, got a list"),
    (Decimal("0.00001"), "has more than 4 decimals"),
    (Decimal("1.1e-9"), "has more than 4 decimals"),
    (-1, "expected a number from 0 to 100000000000"),
    (Decimal("1e400"), "expected a number from 0 to 100000000000"),
    (10**11 + 1, "expected a number from 0 to 100000000000"),
])  # fmt: skip
def test_what_is_no_amount_is_reported(raw, problem):
    assert reported(Amount(), raw) == [f"x: {problem}"]


def test_a_percentage_ends_at_a_thousand():
    assert read(Percent(), 1000) == 1000
    assert reported(Percent(), Decimal("1000.0001")) == ["x: expected a number from 0 to 1000"]


def test_a_measure_is_a_float():
    assert read(Number(), 3) == 3.0
    assert isinstance(read(Number(), Decimal("0.1")), float)
    assert reported(Number(), -1) == ["x: expected a number from 0 up, got -1"]
    assert reported(Number(), "3") == ['x: expected a number from 0 up, got "3"']
    assert reported(Number(), Decimal("1e400")) == ["x: is above 100000000000"]


@pytest.mark.parametrize("amount", ["0", "10", "10.5", "0.0001", "99999999999.9999", "100000000000"])
def test_an_amount_written_and_read_again_is_the_same(amount):
    assert read(Amount(), Decimal(str(written(Decimal(amount))))) == Decimal(amount)


def test_whole_amounts_are_written_without_a_fraction():
    assert str(written(Decimal("10.0000"))) == "10"


def test_nested_objects_are_entries_with_their_paths():
    rates = read(Objects(fields=RATE), [{"country_code": "us", "rate": 7}, {"country_code": "ca", "rate": 5}])
    assert rates == [
        Entry("x[0]", {"country_code": "us", "rate": Decimal(7)}, is_sound=True),
        Entry("x[1]", {"country_code": "ca", "rate": Decimal(5)}, is_sound=True),
    ]


def test_every_problem_of_nested_objects_is_reported_by_its_path():
    assert reported(Objects(fields=RATE), [{"country_code": "us", "rate": "ten"}, {"rate": 5, "colour": 1}, 7]) == [
        'x[0].rate: expected a number, got "ten"',
        "x[1].colour: unknown field",
        "x[1].country_code: is required",
        "x[2]: expected an object, got 7",
    ]


def test_partial_objects_may_leave_required_fields_out():
    assert read(Objects(fields=RATE, partial=True), [{"rate": 5}]) == [Entry("x[0]", {"rate": 5}, is_sound=True)]
    assert read(Object(fields=RATE, partial=True), {}) == Entry("x", {}, is_sound=True)


def test_null_is_no_list_and_no_object_unless_the_field_says_so():
    assert reported(Texts(), None) == ["x: expected a list, got null"]
    assert reported(Object(fields=RATE), None) == ["x: expected an object, got null"]
    assert read(Texts(nullable=True), None) is None
    assert read(Object(fields=RATE, nullable=True), None) is None


def test_an_object_with_a_problem_far_below_is_not_sound():
    problems = Problems()
    fields = {"name": Text(), "zones": Objects(fields={"rates": Objects(fields=RATE)})}
    entry = read_object(
        {"name": "EU", "zones": [{"rates": [{"country_code": 4, "rate": 1}]}]}, "z[0]", fields, problems
    )
    assert entry == Entry("z[0]", {"name": "EU"}, is_sound=False)
    assert problems.lines == ["z[0].zones[0].rates[0].country_code: expected a text, got 4"]
