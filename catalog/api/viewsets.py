"""The catalogue's routes."""

from dataclasses import replace

from rest_framework.request import Request

from catalog.api import resources, serializers, stock_requests
from catalog.stock.stock_levels import delete_level
from kit.query.conditions import Every, Is
from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class CatalogEndpoint(List, Retrieve, StoreEndpoint):
    """The read-only routes of the catalogue."""

    is_catalogue = True


class ProductCategories(CatalogEndpoint):
    """Product categories, in a tree."""

    resource = resources.PRODUCT_CATEGORIES


class Products(CatalogEndpoint):
    """Published products in the key's sales channels, with prices in the caller's price context."""

    resource = resources.PRODUCTS


class ProductVariants(CatalogEndpoint):
    """Variants of the products that the caller may see."""

    resource = resources.PRODUCT_VARIANTS


class Collections(CatalogEndpoint):
    """Collections, the newest first."""

    resource = resources.COLLECTIONS


class ProductTypes(CatalogEndpoint):
    """Product types."""

    resource = resources.PRODUCT_TYPES


class ProductTags(CatalogEndpoint):
    """Product tags."""

    resource = resources.PRODUCT_TAGS


class ProductOptions(CatalogEndpoint):
    """Options of the products that the caller may see."""

    resource = resources.PRODUCT_OPTIONS


class InventoryLevels(List, AdminEndpoint):
    """The stock of an inventory item, by location."""

    resource = resources.INVENTORY_LEVELS
    permissions = {"list": "catalog.view_inventorylevel"}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the item
        """List the stock levels of an inventory item."""
        self.read_query = replace(
            self.read_query, condition=Every((self.read_query.condition, Is("inventory_item_id", id)))
        )
        return super().list(request)


class StockChanges(WriteEndpoint, AdminEndpoint):
    """Changes to stock."""

    resource = resources.INVENTORY_ITEMS
    inputs = {
        "change": serializers.InventoryLevelInput,
        "batch": serializers.InventoryLevelBatchInput,
        "batch_of_item": serializers.LocationLevelBatchInput,
    }
    answers = {
        **dict.fromkeys(("batch", "batch_of_item"), serializers.InventoryLevelBatchSerializer),
        "remove": serializers.DeletedLevelSerializer,
    }
    permissions = {
        **dict.fromkeys(("change", "batch", "batch_of_item"), "catalog.change_inventorylevel"),
        "remove": "catalog.delete_inventorylevel",
    }
    dry_runs = frozenset({"change", "batch", "batch_of_item", "remove"})

    def change(self, request: Request, id: str, location_id: str) -> JSONObject:
        """Set or adjust the stock of an item at a location. Returns the item with all its levels."""
        stock_requests.change(actor=self.actor, id=id, location_id=location_id, **self.body())
        return self.written(id)

    def batch(self, request: Request) -> JSONObject:
        """Create, update and delete up to 1,000 stock levels: all or none."""
        return stock_requests.batch(actor=self.actor, **self.body())

    def batch_of_item(self, request: Request, id: str) -> JSONObject:
        """Create, update and delete stock levels of an item: all or none."""
        return stock_requests.batch_of_item(actor=self.actor, id=id, **self.body())

    def remove(self, request: Request, id: str, location_id: str) -> JSONObject:
        """Delete the stock level of an item at a location, if nothing is stocked, reserved or incoming there."""
        level_id = delete_level(actor=self.actor, inventory_item_id=id, location_id=location_id)
        parent = self.read(id, actor=self.actor)
        return {"id": level_id, "object": "inventory-level", "deleted": True, "parent": parent}
