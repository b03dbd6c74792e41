"""Fulfillment sets with their service zones, and the shipping options of each zone."""

from fulfillment.models.options import ShippingOption, ShippingOptionRule, ShippingOptionType
from fulfillment.models.zones import FulfillmentSet, GeoZone, ServiceZone

__all__ = [
    "FulfillmentSet",
    "GeoZone",
    "ServiceZone",
    "ShippingOption",
    "ShippingOptionRule",
    "ShippingOptionType",
]
