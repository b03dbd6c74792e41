"""The catalogue's resources as answers show them."""

from catalog.api.serializers.prices import CalculatedPriceSerializer
from catalog.api.serializers.products import (
    ProductCategorySerializer,
    ProductCollectionSerializer,
    ProductOptionSerializer,
    ProductSerializer,
    ProductTagSerializer,
    ProductTypeSerializer,
    ProductVariantSerializer,
)

__all__ = [
    "CalculatedPriceSerializer",
    "ProductCategorySerializer",
    "ProductCollectionSerializer",
    "ProductOptionSerializer",
    "ProductSerializer",
    "ProductTagSerializer",
    "ProductTypeSerializer",
    "ProductVariantSerializer",
]
