"""Routes that come in pairs."""

from typing import Any

from django.urls import URLPattern, path

from kit.rest.reads import List


def reading(name: str, endpoint: type[List], *, key: str = "id") -> list[URLPattern]:
    """GET of the list under that name, and of a single resource."""
    one: Any = endpoint.as_view({"get": "retrieve"})
    return [path(name, endpoint.as_view({"get": "list"})), path(f"{name}/<str:{key}>", one)]
