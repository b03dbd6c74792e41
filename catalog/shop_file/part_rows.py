"""The images and variants of products in the shop file."""

from collections.abc import Iterable, Mapping

from catalog.models import ProductImage, ProductVariant
from catalog.products.product_details import CODES
from kit.editing.children import Children
from kit.shop_file.named_children import NamedChildren
from kit.shop_file.values import Entry, Text, Value
from kit.values.text import LONGEST

CODE_FIELDS: Mapping[str, Value] = {name: Text(nullable=True, longest=LONGEST, may_be_blank=False) for name in CODES}


class Images(Children[ProductImage]):
    """Images of products, by address."""

    model = ProductImage
    parent = "product_id"
    key = ("url",)
    order = ("rank", "pk")


class VariantRows(NamedChildren[ProductVariant]):
    """Variants of products, by sku, or by title if they have none."""

    model = ProductVariant
    parent = "product_id"
    order = ("variant_rank", "pk")
    name = "title"
    unique = CODES
    names_repeat = True

    def ids_named(self, product: str, entries: Iterable[Entry]) -> set[str]:
        """The ids of the product's variants that the objects name by id or SKU."""
        words = {entry.given.get(name) for entry in entries for name in ("id", "sku")} - {None}
        return {row.pk for row in self.of(product).values() if not words.isdisjoint((row.pk, row.sku))}

    def name_of(self, entry: Entry) -> str:
        return "sku" if entry.given.get("sku") else "title"
