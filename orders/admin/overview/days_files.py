"""The tables of a page about chosen days as CSV, with all rows."""

import io
from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from kit.admin.forms.csv_fields import CsvFields, keep_format
from orders.reports.export import cells
from orders.reports.export.columns import Column, formatted
from orders.reports.sales.periods import Period

CURRENCY = Column("currency_code", cells.text, "currency")


class DaysFile(NamedTuple):
    """name: in the address. file: the name of the file, before its days. columns: of a row, by attribute."""

    name: str
    file: str
    label: str
    rows: Callable[..., Iterable[object]]
    columns: tuple[Column, ...]


def download(
    request: HttpRequest, file: DaysFile, rows: Iterable[object], form: CsvFields, period: Period
) -> HttpResponse:
    """The file with these rows, as the valid form wants it."""
    csv_format = form.csv_format()
    keep_format(request, csv_format)
    written = io.StringIO()
    lines = csv_format.writer(written)
    lines.writerow(column.name for column in file.columns)
    lines.writerows(formatted((_line(file, row) for row in rows), file.columns, csv_format))
    name = f"{file.file}-{period.first}-{period.last}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


def _line(file: DaysFile, row: object) -> list[str]:
    currency: str = getattr(row, CURRENCY.source)
    return [column.write(getattr(row, column.source), currency) for column in file.columns]
