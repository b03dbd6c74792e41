"""The tables of the page "Accounting" as CSV, with all rows."""

from collections.abc import Mapping

from orders.admin.overview.days_files import CURRENCY, DaysFile
from orders.reports.accounting.documents import sales, taxes
from orders.reports.accounting.payments import payments
from orders.reports.accounting.vouchers import Vouchers, vouchers
from orders.reports.export import cells
from orders.reports.export.columns import Column, columns

_PERIOD = (Column("period", cells.text, "period"), CURRENCY)
_PLACE = columns(cells.text, "country", "category")

FILES: Mapping[str, DaysFile] = {
    each.name: each
    for each in (
        DaysFile(
            "sales",
            "accounts-sales",
            "Sales as CSV",
            sales,
            (
                *_PERIOD,
                *_PLACE,
                Column("rates", cells.text, "combination"),
                *columns(cells.amount, "subtotal", "tax_total", "total", "gift_card_total"),
            ),
        ),
        DaysFile(
            "taxes",
            "accounts-taxes",
            "Taxes as CSV",
            taxes,
            (
                *_PERIOD,
                *_PLACE,
                *columns(cells.text, "code", "description", "rate"),
                *columns(cells.amount, "subtotal"),
                Column("tax", cells.amount, "total"),
            ),
        ),
        DaysFile(
            "vouchers",
            "accounts-vouchers",
            "Gift cards and store credit as CSV",
            vouchers,
            (*_PERIOD, *columns(cells.amount, *Vouchers._fields[2:])),
        ),
        DaysFile(
            "payments",
            "accounts-payments",
            "Payments as CSV",
            payments,
            (
                *_PERIOD,
                *columns(cells.text, "provider"),
                *columns(cells.number, "captures"),
                *columns(cells.amount, "captured"),
                *columns(cells.number, "refunds"),
                *columns(cells.amount, "refunded"),
            ),
        ),
    )
}
