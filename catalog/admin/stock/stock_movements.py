"""The history of stock: a screen of all movements, and a table of those of one level."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from unfold.contrib.filters.admin import RelatedDropdownFilter

from catalog.admin.stock.item_products import ProductColumn
from catalog.admin.stock.line_links import SUBJECT_LINKS
from catalog.models import StockMovement
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from staff.authors import author, with_author


class MovementColumns:
    """What lists of movements show."""

    def add_links(self, request: HttpRequest, rows: Sequence[Any]) -> None:
        """The orders and keys that moved the stock. At most four statements."""
        ids = {key for row in rows for key in (row.reference_id, row.api_key_id) if key}
        links = SUBJECT_LINKS.get()(request, ids)
        for row in rows:
            row.order_link, row.key_link = links.get(row.reference_id, ""), links.get(row.api_key_id, "")

    @admin.display(description="Change")
    def change(self, row: StockMovement) -> str:
        return f"{row.difference:+d}"

    @admin.display(description="Reason")
    def why(self, row: Any) -> str:
        return format_html_join(" ", "{}", ((part,) for part in (row.get_reason_display(), row.order_link) if part))

    @admin.display(description="By")
    def author(self, row: Any) -> str:
        """The staff user, and the key if a program acted as them."""
        return format_html_join(" through ", "{}", ((part,) for part in (author(row), row.key_link) if part))


class MovementInline(MovementColumns, ReadOnlyInline):
    """The movements of a level, newest first."""

    model = StockMovement
    permission = "catalog.view_stockmovement"
    fields = readonly_fields = (*("created_at", "why", "stocked_before", "stocked_after", "change", "note", "author"),)
    ordering = ("-id",)
    per_page = 20
    verbose_name_plural = "History"

    def get_queryset(self, request: HttpRequest) -> QuerySet[StockMovement]:
        return with_author(super().get_queryset(request))


@admin.register(StockMovement)
class StockMovementAdmin(ReadOnlyAdmin[StockMovement]):
    """Movements of stock, newest first."""

    section = Section.CATALOGUE
    icon = "history"
    nothing_yet = "A movement appears here whenever stock changes: by an order, a return, or a number that you enter."
    made_on = "catalog.inventorylevel"
    columns = (ProductColumn(attrgetter("level.inventory_item_id")), MovementColumns())

    list_display = (
        *("created_at", "item", "product", "location", "why", "stocked_before", "stocked_after", "change", "author"),
    )
    list_filter = ("reason", ("level__location", RelatedDropdownFilter), ("level", SearchedFilter))
    list_filter_submit = True
    list_select_related = ("level__inventory_item", "level__location")
    search_fields = ("=reference_id", "=id", "=level__inventory_item__sku")
    search_help_text = "SKU of the item, id of the fulfillment or return, or id"
    ordering = ("-id",)
    fields = (
        *("item", "product", "location", "level", "why", "stocked_before", "stocked_after", "change", "backordered"),
        *("note", "author", "id", "created_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[StockMovement]:
        return with_author(super().get_queryset(request))

    @admin.display(description="Item")
    def item(self, row: StockMovement) -> str:
        return str(row.level.inventory_item)

    @admin.display(description="Location")
    def location(self, row: StockMovement) -> str:
        return str(row.level.location)
