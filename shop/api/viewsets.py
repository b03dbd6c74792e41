"""The shop's routes."""

from rest_framework.request import Request

from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import StoreEndpoint
from shop.api import resources
from shop.api.serializers import LocaleListSerializer


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
