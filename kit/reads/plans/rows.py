"""Database rows to JSON-ready objects.

Timestamps and JSON arrive as the database's text: a timestamp is re-cut, stored JSON is handed to the writer unparsed.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

import orjson
from rest_framework import serializers

from kit.database.raw_sql import Row
from kit.query.selection import Constant, Selection
from kit.reads.declarations.computed import Computed, MoneyValue, PictureAddress
from kit.values.public_address import absolute
from kit.values.timestamps import iso, isoformat

Answer = dict[str, Any]


def stored_number(stored: int | Decimal) -> int | float:
    """A stored amount (1/10,000; a sum comes as Decimal) in major units; whole amounts stay whole."""
    if type(stored) is not int:
        stored = int(stored)
    return stored / 10_000 if stored % 10_000 else stored // 10_000


_DECODERS: dict[type, str] = {
    serializers.DateTimeField: "iso",
    serializers.DictField: "Fragment",
    serializers.JSONField: "Fragment",
    serializers.ListField: "Fragment",
    serializers.BooleanField: "bool",
    PictureAddress: "absolute",
}
_NAMES = {"iso": iso, "Fragment": orjson.Fragment, "bool": bool, "number": stored_number, "absolute": absolute}
TEXT_DECODED = frozenset({"iso", "Fragment"})


def decoder_of(field: object) -> str | None:
    """The decoder of the column's raw value; None where the value is ready.

    "amount" is for columns of money, which are always int; "number" is for computed money, which may be a Decimal.
    """
    shown = field.output_field if isinstance(field, Computed) else field
    if isinstance(shown, MoneyValue):
        return "amount" if shown is field else "number"
    return next((name for kind, name in _DECODERS.items() if isinstance(shown, kind)), None)


def json_number(amount: Decimal) -> int | float:
    """An amount in major units as JSON's number; whole amounts stay whole."""
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def encoder_of(output_field: object) -> Callable[[Any], object] | None:
    """What turns a computed Python value into JSON's; None where it is JSON's own already."""
    if isinstance(output_field, MoneyValue):
        return lambda value: json_number(value) if isinstance(value, Decimal) else value
    if isinstance(output_field, serializers.DateTimeField):
        return lambda value: isoformat(value) if isinstance(value, datetime) else value
    return None


def row_builder(sources: Mapping[str, str], **functions: Callable[..., object]) -> Callable[[Row], Answer]:
    """A function from a row `r` to its object: the source of each value by its key, in the order of the answer.

    functions: by the names under which the sources call them.

    It is compiled from source, as namedtuple's methods are: one dict display costs half of zip and a pass per decoded
    column, and this is the innermost loop of every read. Keys may come from a request; they are written as literals.
    """
    return eval(f"lambda r: {display(sources)}", {**_NAMES, **functions})  # type: ignore[no-any-return]  # noqa: S307 - our own source


def display(sources: Mapping[str, str]) -> str:
    """A dict display."""
    return f"{{{', '.join(f'{key!r}: {source}' for key, source in sources.items())}}}"


def column(index: int, decoder: str | None) -> str:
    """The source of a value of the row."""
    value = f"r[{index}]"
    if decoder is None:
        return value
    decoded = f"{decoder}({value})"
    if decoder == "amount":  # pages hold thousands: stored_number, without a call
        decoded = f"{value} / 10_000 if {value} % 10_000 else {value} // 10_000"
    return f"None if {value} is None else {decoded}"


def reference(index: int, keys: Mapping[str, Constant | None]) -> str:
    """The source of an object that holds nothing but the id in that column, under each key without a constant."""
    value = f"r[{index}]"
    return f"None if {value} is None else " + display(
        {key: value if constant is None else repr(constant.value) for key, constant in keys.items()}
    )


def in_order(selection: Selection, sources: Mapping[str, str]) -> Mapping[str, str]:
    """The sources in the order of the response: a shaped selection has all of its keys, null until they are filled."""
    return sources if selection.order is None else {key: sources.get(key, "None") for key in selection.order}
