"""Fields that have the same value in every row: clients of the peer's interface expect their names."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from commerce.kit.core.json import JSON
from commerce.kit.projection.computed import Batch, BatchField, MoneyValue


def constant(output_field: serializers.Field[Any, Any, Any, Any], value: JSON) -> BatchField:
    """A field that is always `value`."""

    def load(batch: Batch) -> Sequence[JSON]:
        return [value] * len(batch.rows)

    return BatchField(output_field, columns=("id",), load=load)


def always_zero() -> BatchField:
    """An amount that is always 0."""
    return constant(MoneyValue(), 0)
