"""The screens of the shop's settings."""

from shop.admin.currencies import CurrencyAdmin
from shop.admin.logistics import ShippingProfileAdmin, StockLocationAdmin
from shop.admin.providers import FulfillmentProviderAdmin, PaymentProviderAdmin
from shop.admin.regions import RegionAdmin
from shop.admin.stores import SalesChannelAdmin, StoreAdmin

__all__ = [
    "CurrencyAdmin",
    "FulfillmentProviderAdmin",
    "PaymentProviderAdmin",
    "RegionAdmin",
    "SalesChannelAdmin",
    "ShippingProfileAdmin",
    "StockLocationAdmin",
    "StoreAdmin",
]
