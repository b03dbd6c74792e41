"""Rows of one product in the shop file: its images and its variants."""

from catalog.models import ProductImage, ProductVariant
from commerce.core.shop_file_children import Children


class Images(Children[ProductImage]):
    """Images of products, by address."""

    model = ProductImage
    parent = "product_id"
    key = ("url",)
    order = ("rank", "pk")


class VariantRows(Children[ProductVariant]):
    """Variants of products."""

    model = ProductVariant
    parent = "product_id"
    key = ("id",)
    order = ("variant_rank", "pk")

    def all(self) -> list[ProductVariant]:
        """Those of all products."""
        return [row for rows in self.rows.values() for row in rows.values()]
