"""The tables of the sales page as CSV, with all rows."""

import io
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from kit.admin.forms.csv_fields import keep_format
from kit.admin.request_actor import request_actor
from kit.domain.actor import Actor
from orders.admin.overview.sales_form import SalesForm
from orders.reports.export import cells
from orders.reports.export.columns import Column, columns, formatted
from orders.reports.sales.by_channel import sales_by_channel
from orders.reports.sales.by_product import sales_by_product
from orders.reports.sales.periods import Period

_CURRENCY = Column("currency_code", cells.text, "currency")


class SalesFile(NamedTuple):
    """name: in the address and in the name of the file. columns: of what `rows` gives, by attribute."""

    name: str
    label: str
    rows: Callable[[Actor, Period], Iterable[object]]
    columns: tuple[Column, ...]


FILES: Mapping[str, SalesFile] = {
    each.name: each
    for each in (
        SalesFile(
            "channels",
            "Channels as CSV",
            sales_by_channel,
            (
                _CURRENCY,
                Column("sales_channel", cells.text, "channel"),
                *columns(cells.number, "orders"),
                Column("sales", cells.amount, "amount"),
                *columns(cells.amount, "refunded"),
            ),
        ),
        SalesFile(
            "products",
            "Products as CSV",
            sales_by_product,
            (
                _CURRENCY,
                *columns(cells.text, "product_id"),
                Column("product", cells.text, "title"),
                *columns(cells.number, "units"),
                Column("sales", cells.amount, "amount"),
            ),
        ),
    )
}


def download(request: HttpRequest, file: SalesFile, form: SalesForm) -> HttpResponse:
    """The file for the valid form."""
    period, csv_format = form.period(), form.csv_format()
    keep_format(request, csv_format)
    written = io.StringIO()
    lines = csv_format.writer(written)
    lines.writerow(column.name for column in file.columns)
    rows = file.rows(request_actor(request), period)
    lines.writerows(formatted((_line(file, row) for row in rows), file.columns, csv_format))
    name = f"sales-{file.name}-{period.first}-{period.last}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


def _line(file: SalesFile, row: object) -> list[str]:
    currency: str = getattr(row, _CURRENCY.source)
    return [column.write(getattr(row, column.source), currency) for column in file.columns]
