"""Columns of an export: their names are fixed, and docs/operators/daily-work.md lists them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kit.values.csv_format import CsvFormat
from orders.reports.export import cells

CURRENCY = "currency_id"


class Column(NamedTuple):
    """A column of the file.

    source: the ORM path of its value, or the name of a part (orders/reports/export/parts.py).
    """

    name: str
    write: Callable[[Any, str], str]
    source: str


def columns(write: Callable[[Any, str], str], *names: str, prefix: str = "") -> tuple[Column, ...]:
    """Columns that are named as their sources. prefix: the ORM path to the order."""
    return tuple(Column(name, write, f"{prefix}{name}") for name in names)


def of_order(prefix: str = "") -> tuple[Column, ...]:
    """The columns with which rows of both kinds begin. prefix: the ORM path to the order."""
    return (
        Column("order_number", cells.number, f"{prefix}display_id"),
        *columns(cells.text, "custom_display_id", prefix=prefix),
        *columns(cells.moment, "created_at", prefix=prefix),
        *columns(cells.text, "status", "payment_status", "fulfillment_status", "sales_channel_id", prefix=prefix),
        Column("sales_channel", cells.text, f"{prefix}sales_channel__name"),
        *columns(cells.text, "region_id", prefix=prefix),
        Column("region", cells.text, f"{prefix}region__name"),
    )


def line(of: Sequence[Column], values: Mapping[str, Any], currency_code: str) -> list[str]:
    """The cells of one row."""
    return [column.write(values[column.source], currency_code) for column in of]


def formatted(rows: Iterable[Sequence[str]], of: Sequence[Column], csv_format: CsvFormat) -> Iterator[list[str]]:
    """The rows with their cells as the format wants them."""
    writers: Mapping[Any, Callable[[str], str]] = {cells.text: csv_format.text, cells.amount: csv_format.amount}
    forms = [writers.get(column.write) for column in of]
    for row in rows:
        yield [form(cell) if form else cell for form, cell in zip(forms, row, strict=True)]
