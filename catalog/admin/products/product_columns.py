"""The columns of the list of products."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html_join

from catalog.admin.products.product_summaries import Summary, summaries
from catalog.admin.thumbnails import picture
from catalog.models import Product
from catalog.stock.lowest_stock.recomputing import recompute_in_request
from kit.admin.inlines.page_table import NOTHING
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor

_MOST_CHANNELS = 3


class ProductColumns:
    """Picture, status, prices, stock and sales channels; those of variants are read for all rows of a page at once."""

    def add_links(self, request: HttpRequest, rows: Sequence[Any]) -> None:
        """The summaries are read once a column shows one."""
        read = cache(partial(summaries, request_actor(request), rows))
        for row in rows:
            row.summary = SimpleLazyObject(partial(_summary, read, row.pk))

    @admin.display(description="Picture")
    def picture(self, row: Product) -> str:
        return picture(row.thumbnail)

    @label_column(description="Status", colours={"published": "success", "proposed": "info", "rejected": "danger"})
    def state(self, row: Product) -> str:
        return row.status

    @admin.display(description="Price")
    def price_range(self, row: Any) -> str:
        lines = ((line,) for line in row.summary.price_range)
        return format_html_join("", '<div class="whitespace-nowrap">{}</div>', lines) or NOTHING

    @admin.display(description="Stock")
    def stock(self, row: Any) -> str:
        return NOTHING if row.summary.stock is None else str(row.summary.stock)

    @admin.display(description="Sales channels")
    def channels(self, row: Any) -> str:
        names = row.summary.channels
        rest = len(names) - _MOST_CHANNELS
        return ", ".join(names[:_MOST_CHANNELS]) + (f" and {rest} more" if rest > 0 else "") or NOTHING


def _summary(read: Callable[[], Mapping[str, Summary]], key: str) -> Summary:
    return read().get(key, Summary())


class LowStockFilter(admin.SimpleListFilter):
    """Products with a variant that is low or out of stock at some location."""

    title = "stock"
    parameter_name = "stock"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        may_see = request.user.has_perm("catalog.view_inventorylevel")
        return [("out", "Out of stock"), ("low", f"Low: {settings.LOW_STOCK} or fewer")] if may_see else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Product]) -> QuerySet[Product]:
        most = {"out": 0, "low": settings.LOW_STOCK}.get(self.value() or "")
        if most is None:
            return queryset
        if not recompute_in_request():
            messages.warning(request, "Stock levels are still being processed. This list may be incomplete.")
        return queryset.filter(lowest_stock__available__lte=most)
