"""The page of sales by channel and by product, for chosen days."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import get_current_timezone_name

from kit.admin.base_admin import BaseAdmin
from kit.admin.inlines.page_table import PageTable
from kit.admin.lists.amounts import shown
from kit.admin.lists.row_link import row_link
from kit.admin.request_actor import request_actor
from kit.values.currencies import currency_name
from orders.admin.overview.days_files import download
from orders.admin.overview.sales_files import FILES
from orders.admin.overview.sales_form import SalesForm
from orders.models import Order
from orders.reports.sales.by_channel import ChannelSales, sales_by_channel
from orders.reports.sales.by_product import ProductSales, sales_by_product
from shop.models import Store

NAME = "orders_order_sales"
MOST_SHOWN = 50
"""The most products of a currency; files have all."""


class CurrencySales(NamedTuple):
    """Sales in one currency. more: how many products the table leaves out."""

    currency: str
    amount: str
    refunded: str
    orders: str
    channels: PageTable
    products: PageTable
    more: int


def sales_view(request: HttpRequest, model_admin: BaseAdmin[Order]) -> HttpResponse:
    """The page, or the file that one of its buttons asks for."""
    actor = request_actor(request)
    if not actor.may("orders.view_order"):
        raise PermissionDenied
    form = SalesForm.of(request)
    is_valid = form.is_valid()
    file = FILES.get(request.GET.get("as_csv", ""))
    if is_valid and file is not None:
        period = form.period()
        return download(request, file, file.rows(actor, period), form, period)
    found: list[CurrencySales] = []
    if is_valid:
        period = form.period()
        links = actor.may("catalog.view_product")
        found = _by_currency(sales_by_channel(actor, period), sales_by_product(actor, period), links=links)
    return model_admin.page(
        request,
        "orders/sales.html",
        title="Sales by channel and product",
        media=form.media,
        form=form,
        is_valid=is_valid,
        found=found,
        files=FILES.values(),
        zone=get_current_timezone_name(),
    )


SALES_URL = ("sales/", NAME, sales_view)
"""For `custom_urls` of the screen of orders."""


def _by_currency(
    channels: Sequence[ChannelSales], products: Sequence[ProductSales], *, links: bool
) -> list[CurrencySales]:
    """First the currency of the store's default region."""
    default = Store.objects.values_list("default_region__currency", flat=True).get()
    codes = sorted({each.currency for each in channels}, key=lambda code: (code != default, code))
    return [
        _of_currency(
            code,
            [each for each in channels if each.currency == code],
            [each for each in products if each.currency == code],
            links=links,
        )
        for code in codes
    ]


def _of_currency(
    code: str, channels: Sequence[ChannelSales], products: Sequence[ProductSales], *, links: bool
) -> CurrencySales:
    headers = ("Sales channel", "Orders", "Sales", "Refunded")
    by_channel = [
        (each.channel, f"{each.orders:,}", shown(each.amount, code), shown(each.refunded, code)) for each in channels
    ]
    by_product = [
        (_title(each, is_link=links), f"{each.units:,}", shown(each.amount, code)) for each in products[:MOST_SHOWN]
    ]
    return CurrencySales(
        currency_name(code),
        shown(sum((each.amount for each in channels), Decimal(0)), code),
        shown(sum((each.refunded for each in channels), Decimal(0)), code),
        f"{sum(each.orders for each in channels):,}",
        PageTable("By sales channel", headers, by_channel, amounts=headers[1:]),
        PageTable("By product", ("Product", "Units", "Sales"), by_product, amounts=("Units", "Sales")),
        max(0, len(products) - MOST_SHOWN),
    )


def _title(sold: ProductSales, *, is_link: bool) -> str:
    title = sold.title or "Without a product"
    return row_link("catalog_product_change", sold.product_id, title) if is_link and sold.is_there else title
