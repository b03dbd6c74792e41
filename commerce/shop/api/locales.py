"""Locales. The shop has one language, so the list is empty; storefronts ask for it on every page."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from commerce.kit.api.viewsets import StoreEndpoint
from commerce.kit.graphql.context import RequestContext
from commerce.kit.projection.computed import Embedded
from commerce.kit.projection.fields import ResourceSerializer, ResourceSerializerClass


class LocaleSerializer(ResourceSerializer):
    """A language that the catalogue is translated to."""

    code = serializers.CharField()
    name = serializers.CharField()


def _locale() -> ResourceSerializerClass:
    return LocaleSerializer


class LocaleListSerializer(ResourceSerializer):
    """All locales."""

    locales = Embedded(_locale, many=True)


class Locales(StoreEndpoint):
    """Locales."""

    is_catalogue = True
    answers = {"list": LocaleListSerializer}

    def list(self, request: Request) -> dict[str, object]:
        """List the locales. There are none: the shop has one language."""
        return {"locales": []}


def find_locales(context: RequestContext) -> Mapping[str, Any]:
    """The same for GraphQL. Raises AuthenticationRequired without access to the store."""
    context.actor(None)
    return {"locales": []}
