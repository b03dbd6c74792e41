"""Database rows to JSON-ready objects.

Timestamps and JSON arrive as the database's text: a timestamp is re-cut, stored JSON is handed to the writer unparsed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson
from rest_framework import serializers

from commerce.core.database import Row
from commerce.core.timestamps import iso
from commerce.projection.fields import Computed, MoneyValue

Answer = dict[str, Any]


def _number(stored: int | Decimal) -> int | float:
    """A stored amount (1/10,000; a sum comes as Decimal) in major units; whole amounts stay whole."""
    stored = int(stored)
    whole, rest = divmod(stored, 10_000)
    return stored / 10_000 if rest else whole


_DECODERS: dict[type[Any], str] = {
    serializers.DateTimeField: "iso",
    serializers.DictField: "Fragment",
    serializers.JSONField: "Fragment",
    serializers.BooleanField: "bool",
    MoneyValue: "number",
}
_NAMES = {"iso": iso, "Fragment": orjson.Fragment, "bool": bool, "number": _number}
TEXT_DECODED = frozenset({"iso", "Fragment"})


def decoder_of(field: serializers.Field[Any, Any, Any, Any]) -> str | None:
    """The name of the function that turns the column's raw value into JSON's; None where the value is ready."""
    shown = field.shown_as if isinstance(field, Computed) else field
    return next((name for kind, name in _DECODERS.items() if isinstance(shown, kind)), None)


@dataclass(frozen=True, slots=True)
class Cell:
    """One scalar of an answer: its name and where its raw value stands in the row."""

    name: str
    index: int
    decoder: str | None


def row_builder(cells: Sequence[Cell]) -> Callable[[Row], Answer]:
    """A function from a row to its object.

    It is compiled from source, as namedtuple's methods are: one dict display costs half of zip and a pass per decoded
    column, and this is the innermost loop of every read. Names come from serializer classes, never from a request.
    """
    return eval(f"lambda r: {{{', '.join(map(_source, cells))}}}", dict(_NAMES))  # type: ignore[no-any-return]  # noqa: S307


def _source(cell: Cell) -> str:
    value = f"r[{cell.index}]"
    if cell.decoder is not None:
        value = f"None if {value} is None else {cell.decoder}({value})"
    return f"{cell.name!r}: {value}"
