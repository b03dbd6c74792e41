"""The serializers of the catalogue's resources."""

from catalog.api.serializers.prices import CalculatedPriceSerializer
from catalog.api.serializers.products import (
    ProductCategorySerializer,
    ProductCollectionSerializer,
    ProductOptionSerializer,
    ProductSerializer,
    ProductVariantSerializer,
)
from catalog.api.serializers.records import ProductTagSerializer, ProductTypeSerializer

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
