"""The routes of stock locations and shipping below /admin."""

from django.urls import path

from fulfillment.api.admin.locations import FulfillmentOptions, FulfillmentProviders, ShippingProfiles, StockLocations
from fulfillment.api.admin.options import FulfillmentSets, ServiceZones, ShippingOptions, ShippingOptionTypes
from kit.rest.row_endpoint import row_route, row_routes

_ZONES = "fulfillment-sets/<str:id>/service-zones"
urlpatterns = [
    *row_routes("stock-locations", StockLocations),
    path("stock-locations/<str:id>/fulfillment-sets", StockLocations.as_view({"post": "create_set"})),
    path("fulfillment-sets/<str:id>", FulfillmentSets.as_view({"delete": "destroy"})),
    path(_ZONES, ServiceZones.as_view({"post": "create"})),
    row_route(f"{_ZONES}/<str:zone_id>", ServiceZones),
    path("fulfillment-providers", FulfillmentProviders.as_view({"get": "list"})),
    path("fulfillment-providers/<str:id>/options", FulfillmentOptions.as_view({"get": "list"})),
    *row_routes("shipping-options", ShippingOptions),
    path("shipping-options/<str:id>/rules/batch", ShippingOptions.as_view({"post": "change_rules"})),
    *row_routes("shipping-option-types", ShippingOptionTypes),
    *row_routes("shipping-profiles", ShippingProfiles),
]
