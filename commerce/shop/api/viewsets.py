"""The shop's routes."""

from commerce.kit.api.reads import List, Retrieve
from commerce.kit.api.viewsets import StoreEndpoint
from commerce.shop.api import resources


class Regions(List, Retrieve, StoreEndpoint):
    """Regions, each with its currency and countries."""

    is_catalogue = True
    resource = resources.REGIONS


class Currencies(List, Retrieve, StoreEndpoint):
    """Currencies of ISO 4217."""

    is_catalogue = True
    resource = resources.CURRENCIES
