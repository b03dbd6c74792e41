"""What Medusa's dashboard asks for and this shop has none of, so that its pages open.

Layouts of its screens are not kept, and the search of products needs no indexes that somebody would rebuild.
"""

from collections.abc import Collection
from typing import Any

from django.urls import path
from rest_framework import serializers
from rest_framework.request import Request

from kit.reads.resources import text
from kit.rest.viewsets import AdminEndpoint
from kit.values.json import JSONObject

_OF_LAYOUTS = ("id", "zone", "user_id", "is_system_default", "limit", "offset", "order", "with_deleted", "fields")


class FeaturesSerializer(serializers.Serializer[Any]):
    """No feature of Medusa's is behind a flag here, and none of its plugins is installed."""

    feature_flags = serializers.DictField(required=False)
    plugins = serializers.ListField(child=serializers.DictField(), required=False)


class Features(AdminEndpoint):
    """Medusa's feature flags and plugins: there are none."""

    answers = dict.fromkeys(("flags", "plugins"), FeaturesSerializer)
    permissions = dict.fromkeys(("flags", "plugins"), "shop.view_store")

    def flags(self, request: Request) -> JSONObject:
        """List Medusa's feature flags: there are none."""
        return {"feature_flags": {}}

    def plugins(self, request: Request) -> JSONObject:
        """List Medusa's plugins: there are none."""
        return {"plugins": []}


class LayoutListSerializer(serializers.Serializer[JSONObject]):
    """Layouts of the dashboard's screens: none."""

    layout_configurations = serializers.ListField(child=serializers.DictField(), help_text="Always empty.")
    count = serializers.IntegerField(help_text="Always 0.")
    offset = serializers.IntegerField(help_text="Always 0.")
    limit = serializers.IntegerField(help_text="Always 0.")


class LayoutSerializer(serializers.Serializer[JSONObject]):
    """The layout of a screen: the dashboard's own."""

    personal_configuration = serializers.DictField(allow_null=True, help_text="Always null.")
    default_configuration = serializers.DictField(allow_null=True, help_text="Always null.")
    active_scope = serializers.CharField(help_text="Always default.")


class SearchIndexListSerializer(serializers.Serializer[JSONObject]):
    """Indexes that staff would rebuild: none."""

    search_indexes = serializers.ListField(child=serializers.DictField(), help_text="Always empty.")
    enabled = serializers.BooleanField(help_text="Always false.")


class Layouts(AdminEndpoint):
    """Layouts of the dashboard's screens. They cannot be changed."""

    permissions = dict.fromkeys(("list", "retrieve"), "shop.view_store")
    answers = {"list": LayoutListSerializer, "retrieve": LayoutSerializer}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return _OF_LAYOUTS if action == "list" else ()

    def take_query(self) -> None:
        """No parameter selects from nothing, but each has to be a text."""
        super().take_query()
        for name, value in self.query.items():
            text(name, value)

    def list(self, request: Request) -> JSONObject:
        """List the layouts that were changed: none."""
        return {"layout_configurations": [], "count": 0, "offset": 0, "limit": 0}

    def retrieve(self, request: Request, zone: str) -> JSONObject:
        """Get the layout of a screen, such as `order.details`. It is the dashboard's own."""
        return {"personal_configuration": None, "default_configuration": None, "active_scope": "default"}


class SearchIndexes(AdminEndpoint):
    """Search indexes that can be rebuilt over the API."""

    permissions = {"list": "shop.view_store"}
    answers = {"list": SearchIndexListSerializer}

    def list(self, request: Request) -> JSONObject:
        """List the search indexes: none. The database keeps what searches need."""
        return {"search_indexes": [], "enabled": False}


urlpatterns = [
    path("feature-flags", Features.as_view({"get": "flags"})),
    path("plugins", Features.as_view({"get": "plugins"})),
    path("layouts/configurations", Layouts.as_view({"get": "list"})),
    path("layouts/<str:zone>/configuration", Layouts.as_view({"get": "retrieve"})),
    path("search-indexes", SearchIndexes.as_view({"get": "list"})),
]
