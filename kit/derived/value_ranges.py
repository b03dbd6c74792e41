"""Ranges of a column's values, such as the days of a timestamp, in SQL that triggers and queries share."""

from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func, Value
from django.db.models.sql.compiler import SQLCompiler


@dataclass(frozen=True, slots=True)
class Ranges:
    """postgresql, sqlite: the SQL for the start of the range that `{value}` is in. Starts rise with the values."""

    postgresql: str
    sqlite: str

    def start(self, value: str, vendor: str) -> str:
        """value: SQL without side effects, since it may be repeated."""
        return str(getattr(self, vendor)).format(value=value)


DAYS = Ranges("date_trunc('day', {value}::timestamptz, 'UTC')", "(date({value}) || ' 00:00:00')")
"""The days of a timestamp, UTC."""
THREE_DIGITS = Ranges(
    "rpad(left({value}::bigint::text, 3), length({value}::bigint::text), '0')::bigint",
    "CAST(substr({value}, 1, 3) || substr('0000000000000000', 1, max(length({value}) - 3, 0)) AS INTEGER)",
)
"""The whole numbers with the same first three digits, and as many: 12300 to 12399. There are 900 ranges to a decade."""


class RangeStart(Func):
    """The start of the range that a value is in."""

    def __init__(self, value: Value, ranges: Ranges) -> None:
        super().__init__(value, output_field=value.output_field)
        self.ranges = ranges

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_: Any, **__: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        (source,) = self.get_source_expressions()
        value, parameters = compiler.compile(source)
        text = self.ranges.start(value, connection.vendor)
        return text, tuple(parameters) * text.count(value)
