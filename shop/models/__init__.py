"""The shop's tables: store, sales channels, regions, currencies, stock locations, shipping profiles, providers."""

from shop.models.logistics import ShippingProfile, StockLocation, StockLocationAddress
from shop.models.regions import Country, Currency, Region
from shop.models.store import FulfillmentProvider, PaymentProvider, SalesChannel, SalesChannelQuerySet, Store

__all__ = [
    "Country",
    "Currency",
    "FulfillmentProvider",
    "PaymentProvider",
    "Region",
    "SalesChannel",
    "SalesChannelQuerySet",
    "ShippingProfile",
    "StockLocation",
    "StockLocationAddress",
    "Store",
]
