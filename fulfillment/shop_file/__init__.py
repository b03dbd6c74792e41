"""The shop file's section of fulfillment sets."""

from fulfillment.shop_file.fulfillment_sets import FulfillmentSets

__all__ = ["FulfillmentSets"]
