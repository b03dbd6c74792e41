"""The shop's tables: store, sales channels, regions, currencies, stock locations, shipping profiles, providers."""

from commerce.shop.models.logistics import ShippingProfile, StockLocation, StockLocationAddress
from commerce.shop.models.regions import Country, Currency, Region, TaxRate
from commerce.shop.models.store import FulfillmentProvider, PaymentProvider, SalesChannel, SalesChannelQuerySet, Store

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
    "TaxRate",
]
