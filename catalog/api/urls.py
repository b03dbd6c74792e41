"""The catalogue's routes below /store, and those of stock below /admin."""

from django.urls import path

from catalog.api import viewsets
from catalog.api.admin import (
    categories,
    labels,
    price_lists,
    price_preferences,
    product_options,
    products,
    sales_channels,
    spreadsheets,
    stock,
    variant_links,
)
from kit.rest.routes import reading
from kit.rest.row_endpoint import row_routes

urlpatterns = [
    *reading("product-categories", viewsets.ProductCategories),
    *reading("products", viewsets.Products),
    *reading("product-variants", viewsets.ProductVariants),
    *reading("collections", viewsets.Collections),
    *reading("product-types", viewsets.ProductTypes),
    *reading("product-tags", viewsets.ProductTags),
    *reading("product-options", viewsets.ProductOptions),
]

ITEM = "inventory-items/<str:id>/location-levels"
admin = [
    *labels.urlpatterns,
    *sales_channels.urlpatterns,
    *product_options.urlpatterns,
    *categories.urlpatterns,
    *price_lists.urlpatterns,
    *price_preferences.urlpatterns,
    *spreadsheets.urlpatterns,  # first: rows would take their paths
    *products.urlpatterns,
    *variant_links.urlpatterns,
    path("inventory-items/location-levels/batch", viewsets.StockChanges.as_view({"post": "batch"})),
    *row_routes("inventory-items", stock.InventoryItems),
    path(ITEM, viewsets.InventoryLevels.as_view({"get": "list"})),
    path(f"{ITEM}/batch", viewsets.StockChanges.as_view({"post": "batch_of_item"})),
    path(f"{ITEM}/<str:location_id>", viewsets.StockChanges.as_view({"post": "change", "delete": "remove"})),
    *row_routes("reservations", stock.Reservations),
]
