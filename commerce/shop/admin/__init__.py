"""The screens of the shop's settings."""

from commerce.shop.admin.currencies import CurrencyAdmin
from commerce.shop.admin.logistics import ShippingProfileAdmin, StockLocationAdmin
from commerce.shop.admin.providers import FulfillmentProviderAdmin, PaymentProviderAdmin
from commerce.shop.admin.regions import RegionAdmin
from commerce.shop.admin.stores import SalesChannelAdmin, StoreAdmin

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
