"""The page "Accounting": sales and taxes as documents state them, vouchers and payments, by period."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import get_current_timezone_name

from kit.admin.base_admin import BaseAdmin
from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.lists.amounts import shown
from kit.admin.request_actor import request_actor
from kit.database.read_snapshot import in_read_snapshot
from kit.values.currencies import currency_name
from kit.values.places import country_name
from orders.admin.overview.accounts_files import FILES
from orders.admin.overview.accounts_form import AccountsForm
from orders.admin.overview.days_files import download
from orders.invoices.printing.contents import rates_text
from orders.models import Invoice, Order
from orders.reports.accounting.documents import Sales, Tax, sales, taxes
from orders.reports.accounting.intervals import Interval
from orders.reports.accounting.payments import Payments, payments
from orders.reports.accounting.vouchers import Vouchers, vouchers
from orders.reports.sales.periods import Period
from orders.states import TaxCategory
from shop.models import Store
from shop.provider_name import provider_name

NAME = "orders_order_accounts"
MOST_SHOWN = 200
"""The most rows of a table; files have all."""


class Figures(NamedTuple):
    """One currency: the sums of all its rows, and its tables. more: how many rows the tables leave out."""

    currency: str
    sums: Sequence[tuple[str, str]]
    tables: Sequence[PageTable]
    more: int


def accounts_view(request: HttpRequest, model_admin: BaseAdmin[Order]) -> HttpResponse:
    """The page, or the file that one of its buttons asks for."""
    if not request_actor(request).may("orders.view_invoice"):
        raise PermissionDenied
    form = AccountsForm.of(request)
    is_valid = form.is_valid()
    file = FILES.get(request.GET.get("as_csv", ""))
    if is_valid and file is not None:
        return download(request, file, file.rows(form.period(), form.interval_chosen()), form, form.period())
    found = in_read_snapshot(lambda: figures(form.period(), form.interval_chosen())) if is_valid else []
    return model_admin.page(
        request,
        "orders/accounts.html",
        opts=Invoice._meta,  # the path leads to their list: who may view invoices may view no orders
        title="Accounting",
        media=form.media,
        form=form,
        is_valid=is_valid,
        found=found,
        files=FILES.values(),
        zone=get_current_timezone_name(),
    )


ACCOUNTS_URL = ("accounts/", NAME, accounts_view)
"""For `custom_urls` of the screen of orders."""


def figures(period: Period, interval: Interval) -> list[Figures]:
    """Each currency apart, first that of the store's default region. Eight statements."""
    reports: list[Sequence[Any]] = [report(period, interval) for report in (sales, taxes, vouchers, payments)]
    default = Store.objects.values_list("default_region__currency", flat=True).get()
    codes = {row.currency for rows in reports for row in rows}
    return [
        _of_currency(code, *([row for row in rows if row.currency == code] for rows in reports))
        for code in sorted(codes, key=lambda code: (code != default, code))
    ]


def _of_currency(
    code: str,
    sold: Sequence[Sales],
    taxed: Sequence[Tax],
    credit: Sequence[Vouchers],
    paid: Sequence[Payments],
) -> Figures:
    def total(amounts: Iterable[Decimal]) -> str:
        return shown(sum(amounts, Decimal(0)), code)

    sums = (
        ("Sales without tax", total(row.subtotal for row in sold)),
        ("Tax", total(row.tax_total for row in sold)),
        ("Sales with tax", total(row.total for row in sold)),
        ("Gift cards sold", total(row.gift_card_total for row in sold)),
        ("Paid by gift cards and credit", total(row.spent for row in credit)),
        ("Captured", total(row.captured for row in paid)),
        ("Refunded", total(row.refunded for row in paid)),
    )
    tables = [
        _table("Sales by rate", sold, ("Period", "Country", "Rates"), _SALES, code),
        _table("Taxes", taxed, ("Period", "Country", "Rate"), _TAXES, code),
        _table("Gift cards and store credit", credit, ("Period",), _VOUCHERS, code),
        _table("Payments by provider", paid, ("Period", "Provider"), _PAYMENTS, code),
    ]
    more = sum(max(0, len(rows) - MOST_SHOWN) for rows in (sold, taxed, credit, paid))
    return Figures(currency_name(code), sums, [table for table in tables if table.cells], more)


class _Columns(NamedTuple):
    """texts: of a row, for the first columns. amounts: its attributes by their headers."""

    texts: Callable[[Any], Sequence[str]]
    amounts: dict[str, str]


def _table(title: str, rows: Sequence[Any], headers: Sequence[str], columns: _Columns, code: str) -> PageTable:
    cells = [
        (*columns.texts(row), *(_amount(getattr(row, name), code) for name in columns.amounts.values()))
        for row in rows[:MOST_SHOWN]
    ]
    return PageTable(title, (*headers, *columns.amounts), cells, amounts=tuple(columns.amounts))


def _amount(amount: Decimal, code: str) -> str:
    return shown(amount, code) if amount else NOTHING


def _rates(row: Sales) -> str:
    return rates_text(row.combination) or TaxCategory(row.category).label


_SALES = _Columns(
    lambda row: (row.period, country_name(row.country) or "Unknown", _rates(row)),
    {"Without tax": "subtotal", "Tax": "tax_total", "With tax": "total", "Gift cards": "gift_card_total"},
)
_TAXES = _Columns(
    lambda row: (
        row.period,
        country_name(row.country) or "Unknown",
        f"{row.description or TaxCategory(row.category).label} {row.rate} %",
    ),
    {"Of": "subtotal", "Tax": "total"},
)
_VOUCHERS = _Columns(
    lambda row: (row.period,),
    {
        "Cards sold": "cards_sold",
        "Cards issued otherwise": "cards_issued",
        "Cards canceled": "cards_canceled",
        "Cards redeemed": "cards_redeemed",
        "Spent on orders": "spent",
        "Refunded as credit": "refunded",
        "Adjusted by staff": "adjusted",
    },
)
_PAYMENTS = _Columns(
    lambda row: (row.period, provider_name(row.provider)), {"Captured": "captured", "Refunded": "refunded"}
)
