"""Database rows to objects: which value stands where, and how it is written."""

from decimal import Decimal
from typing import Any

import orjson
import pytest
from rest_framework import serializers

from kit.reads.declarations.computed import BatchField, MoneyValue, SqlField
from kit.reads.plans.rows import column, decoder_of, row_builder


@pytest.mark.parametrize(
    ("field", "decoder"),
    [
        (serializers.CharField(), None),
        (serializers.IntegerField(), None),
        (serializers.FloatField(), None),
        (serializers.ChoiceField(choices=["a"]), None),
        (serializers.DateTimeField(), "iso"),
        (serializers.DictField(), "Fragment"),
        (serializers.JSONField(), "Fragment"),
        (serializers.BooleanField(), "bool"),
        (MoneyValue(), "amount"),
        (SqlField(MoneyValue(), expression=None), "number"),  # type: ignore[arg-type]
        (BatchField(serializers.CharField(), columns=(), load=list), None),  # type: ignore[arg-type]
    ],
)
def test_a_fields_type_decides_how_its_column_is_decoded(field: Any, decoder: str | None) -> None:
    assert decoder_of(field) == decoder


def test_cells_are_taken_from_their_places_in_the_order_of_the_answer() -> None:
    build = row_builder({"name": column(2, None), "id": column(0, None), "again": column(2, None)})
    assert list(build(("a", "b", "c", "d")).items()) == [("name", "c"), ("id", "a"), ("again", "c")]


def test_an_answer_without_cells_is_empty() -> None:
    assert row_builder({})(("a",)) == {}


@pytest.mark.parametrize("name", ["it's", 'say "a"', "a\\b", "{x}", "%s", "é", "a\nb", "class", "0"])
def test_a_name_can_be_any_text(name: str) -> None:
    assert row_builder({name: column(0, None)})(("a",)) == {name: "a"}


@pytest.mark.parametrize(
    ("decoder", "raw", "shown"),
    [
        ("iso", "2026-11-21 07:24:08.12+00", "2026-11-21T07:24:08.120Z"),
        ("Fragment", '{"a": [1, null]}', {"a": [1, None]}),
        ("Fragment", "null", None),
        ("bool", 1, True),
        ("bool", 0, False),
        ("bool", True, True),
        *[
            (decoder, raw, shown)
            for decoder in ("amount", "number")
            for raw, shown in (
                (105_000, 10.5),
                (100_000, 10),
                (0, 0),
                (1, 0.0001),
                (-15_000, -1.5),
                (-20_000, -2),
                (10**15, 10**11),
                (10**15 - 1, 99_999_999_999.9999),
                (337_750, 33.775),
            )
        ],
    ],
)
def test_raw_values_are_written_as_json(decoder: str, raw: Any, shown: Any) -> None:
    answer = row_builder({"value": column(0, decoder)})((raw,))
    value = orjson.loads(orjson.dumps(answer))["value"]
    assert (value, type(value)) == (shown, type(shown))


@pytest.mark.parametrize("decoder", [None, "iso", "Fragment", "bool", "amount", "number"])
def test_a_missing_value_stays_null_whatever_its_type(decoder: str | None) -> None:
    assert row_builder({"value": column(0, decoder)})((None,)) == {"value": None}


def test_a_sum_that_the_database_hands_over_as_a_decimal_is_a_number_of_json() -> None:
    answer = row_builder({"total": column(0, "number")})((Decimal(105_000),))
    assert (
        orjson.dumps([answer, row_builder({"total": column(0, "number")})((Decimal(100_000),))])
        == b'[{"total":10.5},{"total":10}]'
    )
