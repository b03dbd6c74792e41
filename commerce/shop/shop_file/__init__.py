"""The shop file's sections of what the whole shop shares, and what fields elsewhere name of it."""

from commerce.shop.shop_file.logistics import FulfillmentProviders, ShippingProfiles, StockLocations
from commerce.shop.shop_file.places import CountryCode
from commerce.shop.shop_file.regions import CurrencyCode, Regions
from commerce.shop.shop_file.stores import SalesChannels, Stores
from commerce.shop.shop_file.targets import (
    CHANNELS,
    FULFILLMENT_PROVIDERS,
    PAYMENT_PROVIDERS,
    REGIONS,
    SHIPPING_PROFILES,
    STOCK_LOCATIONS,
)

__all__ = [
    "CHANNELS",
    "FULFILLMENT_PROVIDERS",
    "PAYMENT_PROVIDERS",
    "REGIONS",
    "SHIPPING_PROFILES",
    "STOCK_LOCATIONS",
    "CountryCode",
    "CurrencyCode",
    "FulfillmentProviders",
    "Regions",
    "SalesChannels",
    "ShippingProfiles",
    "StockLocations",
    "Stores",
]
