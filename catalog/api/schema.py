"""The catalogue in GraphQL."""

from typing import Any

from catalog.api import resources, serializers, stock_requests
from catalog.api.admin import (
    categories,
    labels,
    price_lists,
    price_preferences,
    product_options,
    products,
    sales_channels,
    variant_links,
)
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, written_by
from kit.graphql.fields.reads import ListField, SingleField, catalogue_list, catalogue_single
from kit.values.json import JSONObject

_CHANGING_STOCK = "catalog.change_inventorylevel"
_VIEWING_LEVELS, _VIEWING_RESERVATIONS = "catalog.view_inventorylevel", "catalog.view_reservation"


def _batch(context: RequestContext, **values: Any) -> JSONObject:
    return stock_requests.batch(actor=context.actor(_CHANGING_STOCK), **values)


QUERIES = {
    "product_categories": catalogue_list(resources.PRODUCT_CATEGORIES, "Categories that the store shows."),
    "product_category": catalogue_single(resources.PRODUCT_CATEGORIES, "One category."),
    "products": catalogue_list(resources.PRODUCTS, "Published products of the request's sales channels."),
    "product": catalogue_single(resources.PRODUCTS, "One product."),
    "product_variants": catalogue_list(resources.PRODUCT_VARIANTS, "Variants of products that the store shows."),
    "product_variant": catalogue_single(resources.PRODUCT_VARIANTS, "One variant."),
    "collections": catalogue_list(resources.COLLECTIONS, "Collections of products."),
    "collection": catalogue_single(resources.COLLECTIONS, "One collection."),
    "product_types": catalogue_list(resources.PRODUCT_TYPES, "Types of products."),
    "product_type": catalogue_single(resources.PRODUCT_TYPES, "One type."),
    "product_tags": catalogue_list(resources.PRODUCT_TAGS, "Tags of products."),
    "product_tag": catalogue_single(resources.PRODUCT_TAGS, "One tag."),
    "product_options": catalogue_list(resources.PRODUCT_OPTIONS, "Options of products, such as sizes."),
    "product_option": catalogue_single(resources.PRODUCT_OPTIONS, "One option."),
    **labels.QUERIES,
    **product_options.QUERIES,
    **categories.QUERIES,
    **price_lists.QUERIES,
    **price_preferences.QUERIES,
    **products.QUERIES,
    "inventory_levels": ListField(
        resources.INVENTORY_LEVELS, "The stock of items at locations. For staff.", permission=_VIEWING_LEVELS
    ),
    "reservations": ListField(
        resources.RESERVATIONS,
        "Stock that is reserved for lines of orders. For staff.",
        permission=_VIEWING_RESERVATIONS,
    ),
    "reservation": SingleField(resources.RESERVATIONS, "One reservation. For staff.", permission=_VIEWING_RESERVATIONS),
}
MUTATIONS = {
    **labels.MUTATIONS,
    **sales_channels.MUTATIONS,
    **product_options.MUTATIONS,
    **categories.MUTATIONS,
    **price_lists.MUTATIONS,
    **price_preferences.MUTATIONS,
    **products.MUTATIONS,
    **variant_links.MUTATIONS,
    "change_inventory_level": Change(
        resources.INVENTORY_ITEMS,
        "Set or adjust the stock of an inventory item at a location.",
        act=written_by(stock_requests.change, "id"),
        permission=_CHANGING_STOCK,
        input=serializers.PlacedInventoryLevelInput,
    ),
    "batch_inventory_levels": Action(
        serializers.InventoryLevelBatchSerializer,
        "Create and update up to 1,000 stock levels: all or none.",
        act=_batch,
        input=serializers.InventoryLevelBatchInput,
    ),
}
