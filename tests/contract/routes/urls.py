"""The routes of the interface, read off the URLconf."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from kit.rest.endpoint import Endpoint
from kit.rest.viewsets import AdminEndpoint
from tests.plugins.one_app import is_of_app


@dataclass(frozen=True)
class Route:
    """A path as the URLconf writes it, its viewset, and the action of each method."""

    path: str
    endpoint: type[Endpoint]
    actions: dict[str, str] = field(hash=False)

    def __str__(self) -> str:
        return self.path

    @property
    def methods(self) -> list[str]:
        """The methods it has, without OPTIONS."""
        return sorted({*(method.upper() for method in self.actions), *(["HEAD"] if "get" in self.actions else [])})


def routes() -> list[Route]:
    """Every route that an Endpoint serves."""
    return list(_below(get_resolver(), "/"))


def _below(resolver: URLResolver, prefix: str) -> Iterator[Route]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _below(pattern, path)
        elif isinstance(pattern, URLPattern) and issubclass(getattr(pattern.callback, "cls", object), Endpoint):
            yield Route(path, pattern.callback.cls, dict(pattern.callback.actions))


ROUTES = routes()


def of(
    base: type[Endpoint], *, writes: bool | None = None, demands: bool | None = None, but: Collection[str] = ()
) -> list[Any]:
    """Route and method of everything below the base; in `make quick`, of the app.

    writes: only those that may, or may not, change something. demands: only those that ask who is there, or do not.
    but: the paths of those that are distinguished.
    """
    return [
        pytest.param(route, method, id=f"{method} {route.path}")
        for route in ROUTES
        for method in route.methods
        if issubclass(route.endpoint, base)
        and writes in (None, method in ("POST", "DELETE"))
        and demands in (None, route.endpoint.demands)
        and route.path not in but
        and is_of_app(route.endpoint)
    ]


FILES = {route.path for route in ROUTES if route.endpoint.takes_files}
"""Routes whose body is a form with files; tests/pictures test those."""
RAW = {route.path for route in ROUTES if route.endpoint.takes_bytes}
"""Routes whose callers use formats of their own."""
PARAMETER = re.compile(r"<str:\w+>")
ADMIN = {
    f"{method.upper()} {PARAMETER.sub('{}', route.path)}"
    for route in ROUTES
    if issubclass(route.endpoint, AdminEndpoint)
    for method in route.actions
}
"""`GET /admin/orders/{}`, and all others for staff and their programs."""
