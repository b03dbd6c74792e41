"""The columns that a statement reads, and what their raw values are to Python code.

Raw: amounts are integers of 1/10,000, timestamps and JSON the database's text, all else as the driver gives it.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models
from django.db.models import TextField
from django.db.models.functions import Cast

from commerce.kit.core.database import Row
from commerce.kit.core.money import MoneyField, major
from commerce.kit.projection.statements import as_text


class Columns:
    """The columns of a level. One that is needed twice is read once; those beyond the answer's stay in the row."""

    def __init__(self) -> None:
        self._positions: dict[Any, int] = {}
        self.read: list[Any] = []

    def position(self, column: str, *, as_plain_text: bool = False) -> int:
        if as_plain_text and connection.vendor == "sqlite":
            return self._place((column, "text"), as_text(column))
        return self._place(column, column)

    def expression(self, name: str, expression: Any, *, as_plain_text: bool = False) -> int:
        if as_plain_text and connection.vendor == "sqlite":
            expression = Cast(expression, TextField())
        return self._place((name, "expression"), expression)

    def _place(self, key: Any, column: Any) -> int:
        if key not in self._positions:
            self._positions[key] = len(self.read)
            self.read.append(column)
        return self._positions[key]


def taker(
    model: type[models.Model], names: Sequence[str], columns: Columns, decoded: Sequence[str] | None = None
) -> Callable[[Row], Row]:
    """A function from a row to the tuple of these columns, which are read from now on.

    decoded: the ones whose values become Decimal, aware datetime or parsed JSON where they are stored as such; all of
    them when None. Compiled from source like rows.row_builder.
    """
    sources = []
    for name in names:
        decoder = _decoder(model, name)
        index = columns.position(name, as_plain_text=decoder in ("moment", "parsed"))
        value = f"r[{index}]"
        if decoder is not None and (decoded is None or name in decoded):
            value = f"None if {value} is None else {decoder}({value})"
        sources.append(f"{value}, ")
    return eval(f"lambda r: ({''.join(sources)})", dict(_NAMES))  # type: ignore[no-any-return]  # noqa: S307 - our own source


def _decoder(model: type[models.Model], path: str) -> str | None:
    field: Any = None
    for name in path.split("__"):
        try:
            field = model._meta.pk if name == "pk" else model._meta.get_field(name)
        except FieldDoesNotExist:
            return None  # what the queryset computes comes as it is
        model = field.related_model or model
    return next((decoder for kind, decoder in _DECODERS.items() if isinstance(field, kind)), None)


_DECODERS: dict[type[Any], str] = {
    MoneyField: "amount",
    models.DateTimeField: "moment",
    models.JSONField: "parsed",
}


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_NAMES = {"amount": major, "moment": _moment, "parsed": orjson.loads}
