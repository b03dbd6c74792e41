"""The shorter way of an API request to its view, for paths without variables."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch

GetResponse = Callable[[HttpRequest], HttpResponseBase]

_LETTING_VIEWS_ALONE = frozenset(
    {
        "kit.rest.middleware.middleware.RequestLog",
        "kit.rest.middleware.tracing.Tracing",
        "django.middleware.security.SecurityMiddleware",
        "kit.rest.middleware.middleware.Cors",
        "auth.sessions.middleware.SessionMiddleware",
        "kit.rest.middleware.middleware.SiteLayers",
    }
)
"""Middleware whose hooks see no view of the API. Those of others may, and only Django's handler calls them."""


class DirectRoutes:
    """Calls a view as Django's handler does, without resolving a path again whose route is that very path.

    get_response: the handler's own, which takes each path the first time, and always those with variables. What the
    handler does besides is nothing here: there are neither atomic requests nor views that are coroutines or return
    templates. With a middleware that may look at views, no path is taken directly.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response
        self._matches: dict[str, ResolverMatch] = {}
        self._is_off = not _LETTING_VIEWS_ALONE.issuperset(settings.MIDDLEWARE)
        self.answer: Callable[[HttpRequest], Any] = convert_exception_to_response(self._answer)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        match = self._matches.get(request.path_info)
        if match is not None:
            request.resolver_match = match
            response: HttpResponseBase = match.func(request)
            return response
        response = self._get_response(request)
        self._learn(request, response)
        return response

    def _learn(self, request: HttpRequest, response: HttpResponseBase) -> None:
        match = request.resolver_match
        if match is None or f"/{match.route}" != request.path_info or match.args or match.kwargs:
            return
        if not (self._is_off or hasattr(response, "render")):
            self._matches[request.path_info] = match
