"""The catalogue's resources, shared by REST and GraphQL."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catalog.api import admin_filters, filters, serializers
from catalog.models.former_handles import FORMER
from catalog.prices.price_order import calculated_amounts
from catalog.prices.price_parameters import PARAMETERS, parse
from kit.reads.computed_orders import ComputedOrder, Values
from kit.reads.filters.former_values import FormerValues
from kit.reads.resources import ContextParameters, Resource

HANDLES = FormerValues("handle", FORMER)
PRICES = ContextParameters(PARAMETERS, parse)

PRODUCT_CATEGORIES = Resource(
    name="product_category",
    plural="product_categories",
    serializer_class=serializers.ProductCategorySerializer,
    filterset_class=filters.ProductCategoryFilters,
    default_limit=50,
    defaults="*parent_category,*category_children",
    former_values=HANDLES,
    widening={"include_ancestors_tree": "parent_category", "include_descendants_tree": "category_children"},
)
ADMIN_PRODUCT_CATEGORIES = replace(
    PRODUCT_CATEGORIES,
    serializer_class=serializers.AdminProductCategorySerializer,
    filterset_class=admin_filters.AdminProductCategoryFilters,
)
PRODUCTS = Resource(
    name="product",
    plural="products",
    serializer_class=serializers.ProductSerializer,
    filterset_class=filters.ProductFilters,
    default_limit=50,
    defaults="*type,*collection,*tags,*images,*options,*options.values,*variants,*variants.options",
    former_values=HANDLES,
    context_parameters=PRICES,
    defaults_in_context="*variants.calculated_price",
    orders_in_context=(ComputedOrder("variants.calculated_price", calculated_amounts),),
)
PRODUCT_VARIANTS = Resource(
    name="variant",
    plural="variants",
    serializer_class=serializers.ProductVariantSerializer,
    filterset_class=filters.ProductVariantFilters,
    default_limit=20,
    defaults="*options",
    context_parameters=PRICES,
    defaults_in_context="*calculated_price",
)
ADMIN_PRODUCTS = replace(
    PRODUCTS,
    serializer_class=serializers.AdminProductSerializer,
    filterset_class=admin_filters.AdminProductFilters,
    defaults=f"{PRODUCTS.defaults},*variants.prices,*sales_channels",
    orders_in_context=(),
)
ADMIN_PRODUCT_VARIANTS = replace(
    PRODUCT_VARIANTS,
    serializer_class=serializers.AdminProductVariantSerializer,
    default_limit=50,
    defaults="*options,*prices,+product.id,+product.title,+product.handle,+product.thumbnail",
)
COLLECTIONS = Resource(
    name="collection",
    plural="collections",
    serializer_class=serializers.ProductCollectionSerializer,
    filterset_class=filters.ProductCollectionFilters,
    default_limit=10,
    default_order="-created_at",
    former_values=HANDLES,
)
PRODUCT_TYPES = Resource(
    name="product_type",
    plural="product_types",
    serializer_class=serializers.ProductTypeSerializer,
    filterset_class=filters.ProductTypeFilters,
    default_limit=50,
)
PRODUCT_TAGS = Resource(
    name="product_tag",
    plural="product_tags",
    serializer_class=serializers.ProductTagSerializer,
    filterset_class=filters.ProductTagFilters,
    default_limit=50,
)
PRODUCT_OPTIONS = Resource(
    name="product_option",
    plural="product_options",
    serializer_class=serializers.ProductOptionSerializer,
    filterset_class=filters.ProductOptionFilters,
    default_limit=50,
    defaults="*values",
)
ADMIN_PRODUCT_OPTIONS = replace(PRODUCT_OPTIONS, serializer_class=serializers.AdminProductOptionSerializer)


def by_addition(context: Mapping[str, Any], with_deleted: bool) -> Values:
    """See ComputedOrder.values: by when they were added, which their ids tell, as does their `rank`."""
    return "SELECT key, key FROM matching", ()


PRODUCT_OPTION_VALUES = Resource(
    name="product_option_value",
    plural="product_option_values",
    serializer_class=serializers.ProductOptionValueSerializer,
    filterset_class=filters.ProductOptionValueFilters,
    default_limit=50,
    orders_in_context=(ComputedOrder("rank", by_addition),),
)
PRICE_LISTS = Resource(
    name="price_list",
    plural="price_lists",
    serializer_class=serializers.PriceListSerializer,
    filterset_class=admin_filters.PriceListFilters,
    default_limit=20,
    defaults="*prices",
)
PRICES_OF_LISTS = Resource(
    name="price",
    plural="prices",
    serializer_class=serializers.ListedPriceSerializer,
    filterset_class=admin_filters.PriceFilters,
    default_limit=50,
)
INVENTORY_ITEMS = Resource(
    name="inventory_item",
    plural="inventory_items",
    serializer_class=serializers.InventoryItemSerializer,
    filterset_class=admin_filters.InventoryItemFilters,
    default_limit=20,
    defaults="*location_levels",
)
INVENTORY_LEVELS = Resource(
    name="inventory_level",
    plural="inventory_levels",
    serializer_class=serializers.InventoryLevelSerializer,
    filterset_class=admin_filters.InventoryLevelFilters,
    default_limit=50,
)
RESERVATIONS = Resource(
    name="reservation",
    plural="reservations",
    serializer_class=serializers.ReservationSerializer,
    filterset_class=admin_filters.ReservationFilters,
    default_limit=20,
    defaults="*inventory_item",
)
