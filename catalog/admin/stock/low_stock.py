"""Low stock, on the overview."""

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Subquery
from django.urls import reverse
from django.utils.html import format_html

from catalog.admin.stock.inventory import InventoryLevelAdmin
from catalog.models import InventoryItem, InventoryLevel, VariantInventoryItem
from kit.admin.inlines.page_table import PageTable
from kit.admin.lists.row_link import row_link
from kit.admin.pages.dashboard import Panel, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor

NUMBER = 10


@panel("catalog.view_inventorylevel")
def low_stock_panel(actor: Actor) -> Panel:
    """The lowest levels of stocked items, with at most settings.LOW_STOCK available units."""
    sold = VariantInventoryItem.objects.not_deleted().filter(
        inventory_item=OuterRef("inventory_item"),
        variant__deleted_at=None,
        variant__manage_inventory=True,
        variant__product__deleted_at=None,
    )
    rows = (
        InventoryLevel.objects.visible_to(actor)
        .filter(Exists(sold), inventory_item__deleted_at=None, location__deleted_at=None)
        .annotate(
            available=F("stocked_quantity") - F("reserved_quantity"),
            product_title=Subquery(sold.order_by("pk").values("variant__product__title")[:1]),
        )
        .filter(available__lte=settings.LOW_STOCK)
        .select_related("inventory_item", "location")
        .order_by("available", "pk")[: NUMBER + 1]
    )
    cells = [
        (
            row_link("catalog_inventorylevel_change", row.pk, _name(row.inventory_item, row.product_title)),
            row.location.name,
            str(row.available),
        )
        for row in rows
    ]
    lowest_first = f"?o={InventoryLevelAdmin.list_display.index('available')}"
    more = reverse("admin:catalog_inventorylevel_changelist") + lowest_first if len(cells) > NUMBER else ""
    return Panel(
        section=Section.CATALOGUE,
        title=f"Low stock: {settings.LOW_STOCK} or fewer",
        rank=3,
        template="admin/table_panel.html",
        content=PageTable("Low stock", ("Item", "Location", "Available"), cells[:NUMBER], amounts=("Available",)),
        more=more,
    )


def _name(item: InventoryItem, product_title: str) -> str:
    """The item's name after its product's: an item often has only the title of its variant, such as "M / Black"."""
    own = item.title or item.sku or item.pk
    title = own if product_title.lower() in own.lower() else f"{product_title}: {own}"
    return format_html("{}{}", title, f" ({item.sku})" if item.title and item.sku else "")
