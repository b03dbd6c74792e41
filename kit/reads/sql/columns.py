"""The columns that a statement reads, and what their raw values are to Python code.

Raw: amounts are integers of 1/10,000, timestamps and JSON the database's text, all else as the driver gives it.
"""

from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import orjson
from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models
from django.db.models import TextField
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from kit.database.raw_sql import Row
from kit.reads.sql.statements import Column, as_text
from kit.values.money import MoneyField, major

Made = TypeVar("Made")


class Columns:
    """The columns of a level. One that is needed twice is read once; those beyond the answer's stay in the row."""

    def __init__(self) -> None:
        self._positions: dict[Hashable, int] = {}
        self.read: list[Column] = []

    def position(self, column: str, *, as_plain_text: bool = False) -> int:
        if as_plain_text and connection.vendor == "sqlite":
            return self._place((column, "text"), as_text(column))
        return self._place(column, column)

    def expression(self, key: Hashable, expression: Combinable, *, as_plain_text: bool = False) -> int:
        if as_plain_text and connection.vendor == "sqlite":
            expression = Cast(expression, TextField())
        return self._place((key, "expression"), expression)

    def _place(self, key: Hashable, column: Column) -> int:
        if key not in self._positions:
            self._positions[key] = len(self.read)
            self.read.append(column)
        return self._positions[key]


def taker(
    model: type[models.Model], names: Sequence[str], columns: Columns, decoded: Sequence[str] | None = None
) -> Callable[[Row], Row]:
    """A function from a row to the tuple of these columns, which are read from now on.

    decoded: the ones whose values become Decimal, aware datetime, bool or parsed JSON where they are stored as such;
    all of them when None.
    """
    return _function(f"({values(model, names, columns, decoded)})")


def maker(
    kind: Callable[..., Made],
    model: type[models.Model],
    names: Sequence[str],
    columns: Columns,
    decoded: Sequence[str] | None = None,
) -> Callable[[Row], Made]:
    """A function from a row to an object: `kind` gets the values of these columns by position. The rest as taker."""
    return _function(f"kind({values(model, names, columns, decoded)})", kind=kind)


def _function(source: str, **names: object) -> Callable[[Row], Any]:
    """Compiled from source like rows.row_builder."""
    return eval(f"lambda r: {source}", {**_NAMES, **names})  # type: ignore[no-any-return]  # noqa: S307 - our own source


def values(
    model: type[models.Model], names: Sequence[str], columns: Columns, decoded: Sequence[str] | None = None
) -> str:
    """The source of these columns' values, each followed by a comma; they are read from now on. decoded: as taker."""
    sources = []
    for name in names:
        decoder = _decoder(model, name)
        index = columns.position(name, as_plain_text=decoder in ("moment", "parsed"))
        value = f"r[{index}]"
        if decoder is not None and (decoded is None or name in decoded):
            value = f"None if {value} is None else {decoder}({value})"
        sources.append(f"{value}, ")
    return "".join(sources)


def _decoder(model: type[models.Model], path: str) -> str | None:
    field: object = None
    for name in path.split("__"):
        try:
            field = model._meta.pk if name == "pk" else model._meta.get_field(name)
        except FieldDoesNotExist:
            return None  # what the queryset computes comes as it is
        model = getattr(field, "related_model", None) or model
    return next((decoder for kind, decoder in _DECODERS.items() if isinstance(field, kind)), None)


_DECODERS: dict[type, str] = {
    MoneyField: "amount",
    models.DateTimeField: "moment",
    models.JSONField: "parsed",
    models.BooleanField: "bool",
}


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_NAMES = {"amount": major, "moment": _moment, "parsed": orjson.loads}
