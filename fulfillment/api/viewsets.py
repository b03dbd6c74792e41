"""The routes of shipping."""

from commerce.api.reads import List
from commerce.api.viewsets import StoreEndpoint
from fulfillment.api.resources import SHIPPING_OPTIONS


class ShippingOptions(List, StoreEndpoint):
    """The ways of shipping that a cart may choose from: for its address, its goods and what it costs."""

    resource = SHIPPING_OPTIONS
