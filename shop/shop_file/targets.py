"""The rows of the shop app that fields of a shop file can name."""

from kit.shop_file.references import Target
from shop.models import FulfillmentProvider, PaymentProvider, Region, SalesChannel, ShippingProfile, StockLocation

CHANNELS = Target(SalesChannel, "name", "sales_channels")
FULFILLMENT_PROVIDERS = Target(FulfillmentProvider, "id", "fulfillment_providers")
PAYMENT_PROVIDERS = Target(PaymentProvider, "id", "payment_providers")
REGIONS = Target(Region, "name", "regions")
SHIPPING_PROFILES = Target(ShippingProfile, "name", "shipping_profiles")
STOCK_LOCATIONS = Target(StockLocation, "name", "stock_locations")
