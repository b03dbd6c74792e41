"""The shop file's sections of the shop app, and the rows of it that other sections can name."""

from shop.shop_file.currencies import Currencies, CurrencyCode
from shop.shop_file.logistics import ShippingProfiles, StockLocations
from shop.shop_file.places import CountryCode
from shop.shop_file.providers import FulfillmentProviders, PaymentProviders
from shop.shop_file.regions import Regions
from shop.shop_file.stores import SalesChannels, Stores
from shop.shop_file.targets import (
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
    "Currencies",
    "CurrencyCode",
    "FulfillmentProviders",
    "PaymentProviders",
    "Regions",
    "SalesChannels",
    "ShippingProfiles",
    "StockLocations",
    "Stores",
]
