"""The serializers of the catalogue's resources."""

from catalog.api.serializers.admin import AdminProductCategorySerializer
from catalog.api.serializers.admin_products import (
    AdminProductOptionSerializer,
    AdminProductSerializer,
    AdminProductVariantSerializer,
)
from catalog.api.serializers.price_lists import ListedPriceSerializer, PriceListSerializer
from catalog.api.serializers.prices import CalculatedPriceSerializer
from catalog.api.serializers.products import (
    ProductCategorySerializer,
    ProductCollectionSerializer,
    ProductOptionSerializer,
    ProductOptionValueSerializer,
    ProductSerializer,
    ProductVariantSerializer,
)
from catalog.api.serializers.records import ProductTagSerializer, ProductTypeSerializer
from catalog.api.serializers.stock import (
    DeletedLevelSerializer,
    InventoryItemSerializer,
    InventoryLevelBatchInput,
    InventoryLevelBatchSerializer,
    InventoryLevelInput,
    InventoryLevelSerializer,
    LocationLevelBatchInput,
    PlacedInventoryLevelInput,
    ReservationSerializer,
)

__all__ = [
    "AdminProductCategorySerializer",
    "AdminProductOptionSerializer",
    "AdminProductSerializer",
    "AdminProductVariantSerializer",
    "CalculatedPriceSerializer",
    "DeletedLevelSerializer",
    "InventoryItemSerializer",
    "InventoryLevelBatchInput",
    "InventoryLevelBatchSerializer",
    "InventoryLevelInput",
    "InventoryLevelSerializer",
    "ListedPriceSerializer",
    "LocationLevelBatchInput",
    "PlacedInventoryLevelInput",
    "PriceListSerializer",
    "ProductCategorySerializer",
    "ProductCollectionSerializer",
    "ProductOptionSerializer",
    "ProductOptionValueSerializer",
    "ProductSerializer",
    "ProductTagSerializer",
    "ProductTypeSerializer",
    "ProductVariantSerializer",
    "ReservationSerializer",
]
