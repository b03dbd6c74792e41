"""The shop file's section of how the shop ships."""

from fulfillment.shop_file.fulfillment_sets import FulfillmentSets

__all__ = ["FulfillmentSets"]
