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
    stock,
    variant_links,
)
from catalog.stock.stock_levels import delete_levels
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Removal, Written, written_by
from kit.graphql.fields.reads import ListField, catalogue_list, catalogue_single
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.values.json import JSONObject

_CHANGING_STOCK = "catalog.change_inventorylevel"
_VIEWING_LEVELS = "catalog.view_inventorylevel"


def _batch(context: RequestContext, **values: Any) -> JSONObject:
    return stock_requests.batch(actor=context.actor(_CHANGING_STOCK), **values)


def _delete_level(*, actor: Actor, id: str) -> Written:
    return Written(delete_levels(actor=actor, ids=[id])[0].inventory_item_id)


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
    **row_queries(stock.InventoryItems),
    **row_queries(stock.Reservations),
}
MUTATIONS = {
    **labels.MUTATIONS,
    **sales_channels.MUTATIONS,
    **product_options.MUTATIONS,
    **categories.MUTATIONS,
    **price_lists.MUTATIONS,
    **price_preferences.MUTATIONS,
    **products.MUTATIONS,
    **row_mutations(stock.InventoryItems),
    **row_mutations(stock.Reservations),
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
        "Create, update and delete up to 1,000 stock levels: all or none.",
        act=_batch,
        input=serializers.InventoryLevelBatchInput,
    ),
    "delete_inventory_level": Removal(
        serializers.DeletedLevelSerializer,
        object="inventory-level",
        parent=resources.INVENTORY_ITEMS,
        description="Delete a stock level, if nothing is stocked, reserved or incoming there.",
        act=_delete_level,
        who=lambda context: context.actor("catalog.delete_inventorylevel"),
    ),
}
