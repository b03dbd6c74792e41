"""What the whole shop shares: the store, where and in which currencies it sells, what it sells from, its providers."""

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
