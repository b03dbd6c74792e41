"""The products of inventory items: an item often has only the title of its variant, such as `M / Black`."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join

from catalog.models import Product, VariantInventoryItem
from kit.admin.lists.row_link import may_open, row_link


def product_links(request: HttpRequest, items: Collection[str]) -> Mapping[str, str]:
    """The products that are sold from the items, by the item's id, as links for users who may open them.

    One statement.
    """
    uses = VariantInventoryItem.objects.not_deleted().filter(
        inventory_item__in=items, variant__deleted_at=None, variant__product__deleted_at=None
    )
    product = "variant__product"
    found = uses.order_by(f"{product}__title").values_list("inventory_item", product, f"{product}__title").distinct()
    named = cache(partial(row_link, "catalog_product_change")) if may_open(request, Product) else lambda _, title: title
    names: dict[str, list[str]] = defaultdict(list)
    for item, key, title in found:
        names[item].append(named(key, title))
    return {item: format_html_join(", ", "{}", ((name,) for name in of_item)) for item, of_item in names.items()}


class ProductColumn:
    """For the `columns` of a screen. item_of: the id of the row's item."""

    def __init__(self, item_of: Callable[[Any], str]) -> None:
        self._item_of = item_of

    def add_links(self, request: HttpRequest, rows: Sequence[Any]) -> None:
        """The products, by one statement."""
        links = product_links(request, {self._item_of(row) for row in rows})
        for row in rows:
            row.product_links = links.get(self._item_of(row))

    @admin.display(description="Product")
    def product(self, row: Any) -> str | None:
        found: str | None = row.product_links
        return found
