"""The routes of taxes below /admin."""

from django.urls import path

from kit.rest.row_endpoint import row_routes
from taxes.api.admin import TaxProviders, TaxRates, TaxRegions

admin = [
    *row_routes("tax-regions", TaxRegions),
    *row_routes("tax-rates", TaxRates),
    path("tax-providers", TaxProviders.as_view({"get": "list"})),
]
