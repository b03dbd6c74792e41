"""The history of stock: a screen of all movements, and a table of those of one level."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RelatedDropdownFilter

from catalog.models import StockMovement
from commerce.kit.admin.read_only_admin import ReadOnlyAdmin
from commerce.kit.admin.read_only_inline import ReadOnlyInline
from commerce.kit.admin.sections import Section
from commerce.staff.authors import author, with_author


class MovementColumns:
    """What lists of movements show."""

    @admin.display(description="Change")
    def change(self, row: StockMovement) -> str:
        return f"{row.difference:+d}"

    @admin.display(description="Reason")
    def why(self, row: StockMovement) -> str:
        return " ".join(filter(None, (row.get_reason_display(), row.reference_id)))

    @admin.display(description="By")
    def author(self, row: StockMovement) -> str:
        """The staff user, and the key if a program acted as them."""
        return " through ".join(filter(None, (author(row), row.api_key_id)))


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
class StockMovementAdmin(MovementColumns, ReadOnlyAdmin[StockMovement]):
    """Movements of stock, newest first."""

    section = Section.CATALOGUE
    icon = "history"

    list_display = ("created_at", "item", "location", "why", "stocked_before", "stocked_after", "change", "author")
    list_filter = ("reason", ("level__location", RelatedDropdownFilter), ("level", AutocompleteSelectFilter))
    list_filter_submit = True
    list_select_related = ("level__inventory_item", "level__location")
    search_fields = ("=reference_id", "=id", "=level__inventory_item__sku")
    search_help_text = "SKU of the item, id of the fulfillment or return, or id"
    ordering = ("-id",)
    fields = (
        *("item", "location", "level", "why", "stocked_before", "stocked_after", "change", "backordered"),
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
