"""The screens of stock: items with their levels, all levels, and reservations."""

from operator import attrgetter
from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import RelatedDropdownFilter

from catalog.admin.stock.item_products import ProductColumn
from catalog.admin.stock.line_links import LINE_LINKS
from catalog.admin.stock.stock_movements import MovementInline
from catalog.admin.variants.variant_form import MEASURED
from catalog.admin.variants.variant_stock import LevelTable
from catalog.models import InventoryItem, InventoryLevel, Reservation
from catalog.stock.inventory_item_editing import VERBS
from kit.admin.actions.spreadsheet_buttons import spreadsheet_buttons
from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section

_PRODUCT = ProductColumn(attrgetter("inventory_item_id"))


class LevelInline(LevelTable):
    """The item's levels."""


class ItemForm(SoftDeletionForm):
    """An inventory item."""

    class Meta:
        labels = {"sku": "SKU"}


@admin.register(InventoryItem)
class InventoryItemAdmin(SoftDeletionAdmin[InventoryItem]):
    """Inventory items, which variants are sold from."""

    section = Section.CATALOGUE
    icon = "inventory_2"
    nothing_yet = "The first quantity of a variant, entered on the page of its product, creates its inventory item."
    made_on = "catalog.product"
    verbs = VERBS
    columns = (ProductColumn(attrgetter("pk")),)
    is_saved_once = True
    form = ItemForm
    list_buttons = spreadsheet_buttons("stock")
    deletion_note = (
        "Possible once nothing of it is reserved. Variants that use it can no longer be sold from stock. It can be "
        "restored."
    )

    list_display = ("sku", "title", "product", "requires_shipping", "updated_at")
    list_display_links = ("sku", "title")
    list_filter = ("requires_shipping", DeletionFilter)
    search_fields = ("sku", "title", "=id")
    search_help_text = "SKU, title or id"
    ordering = ("sku", "id")
    inlines = (LevelInline,)
    readonly_fields = ("product", "id", "created_at", "updated_at", "deleted_at")
    fieldsets = (
        (None, {"fields": ("sku", "title", "product", "requires_shipping", "description", "thumbnail")}),
        ("Attributes", {"fields": (*MEASURED, "unit_of_measure"), "classes": ("collapse",)}),
        record_section("metadata", "id", "created_at", "updated_at", "deleted_at"),
    )


@admin.register(InventoryLevel)
class InventoryLevelAdmin(ReadOnlyAdmin[InventoryLevel]):
    """Stock by location with its history; edited on the screens of variants and items."""

    list_buttons = spreadsheet_buttons("stock", has_filters=False)
    section = Section.CATALOGUE
    icon = "warehouse"
    nothing_yet = "Quantities are entered for each variant and location on the page of the product."
    made_on = "catalog.product"
    columns = (_PRODUCT,)
    menu_title = "Stock"
    daily = "change"

    list_display = (
        *("item", "product", "location", "stocked_quantity", "reserved_quantity", "available", "incoming_quantity"),
    )
    list_filter = (("location", RelatedDropdownFilter), ("inventory_item", SearchedFilter))
    list_filter_submit = True
    search_fields = ("inventory_item__sku", "inventory_item__title")
    search_help_text = "SKU or title of the item"
    ordering = ("inventory_item__sku", "location__name", "id")
    list_per_page = 50
    inlines = (MovementInline,)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("inventory_item", "product", "location", "stocked_quantity", "reserved_quantity"),
                    *("available", "incoming_quantity"),
                )
            },
        ),
        record_section("id", "created_at", "updated_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[InventoryLevel]:
        rows: QuerySet[InventoryLevel] = super().get_queryset(request)
        return rows.filter(deleted_at=None, inventory_item__deleted_at=None).select_related(
            "inventory_item", "location"
        )

    @admin.display(description="Item", ordering="inventory_item__sku")
    def item(self, row: InventoryLevel) -> str:
        return str(row.inventory_item)

    @admin.display(description="Available", ordering=F("stocked_quantity") - F("reserved_quantity"))
    def available(self, row: InventoryLevel) -> int:
        return row.stocked_quantity - row.reserved_quantity


@admin.register(Reservation)
class ReservationAdmin(ReadOnlyAdmin[Reservation]):
    """Reserved stock; reservations are made and released with their carts and orders, or by programs."""

    section = Section.CATALOGUE
    icon = "bookmark"
    nothing_yet = "Stock is reserved here for each order until it is packed."
    made_on = "orders.order"
    columns = (_PRODUCT,)

    list_display = ("inventory_item", "product", "location", "quantity", "reserved_for", "description", "created_at")
    list_filter = (("location", RelatedDropdownFilter), DeletionFilter)
    list_filter_submit = True
    list_select_related = ("inventory_item", "location")
    search_fields = ("inventory_item__sku", "inventory_item__title", "=line_item_id", "=id")
    search_help_text = "Item, or id of the line item"
    readonly_fields = ("product", "reserved_for")
    fieldsets = (
        (
            None,
            {"fields": ("inventory_item", "product", "location", "quantity", "reserved_for", "description")},
        ),
        record_section("allow_backorder", "line_item_id", "metadata", "id", "created_at", "updated_at", "deleted_at"),
    )

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """The orders and carts whose lines the stock is reserved for, too. At most five statements."""
        super().add_links(request, rows)
        links = LINE_LINKS.get()(request, {row.line_item_id for row in rows if row.line_item_id})
        for row in rows:
            row.owner_link = links.get(row.line_item_id)

    @admin.display(description="Reserved for")
    def reserved_for(self, row: Any) -> str | None:
        link: str | None = row.owner_link
        return link
