"""The shop's routes."""

from rest_framework.request import Request

from commerce.kit.api.reads import List, Retrieve
from commerce.kit.api.viewsets import StoreEndpoint
from commerce.shop.api import resources
from commerce.shop.api.serializers import LocaleListSerializer


class Regions(List, Retrieve, StoreEndpoint):
    """Regions, each with its currency and countries."""

    is_catalogue = True
    resource = resources.REGIONS


class Currencies(List, Retrieve, StoreEndpoint):
    """Currencies of ISO 4217."""

    is_catalogue = True
    resource = resources.CURRENCIES


class Locales(StoreEndpoint):
    """Locales."""

    is_catalogue = True
    answers = {"list": LocaleListSerializer}

    def list(self, request: Request) -> dict[str, object]:
        """List the locales. There are none: the shop has one language. Storefronts ask on every page."""
        return {"locales": []}
