"""What stands around every request: its id and log line, and the layers that only the browser's pages need."""

import itertools
import re
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, cast
from urllib.parse import SplitResult

import structlog
from corsheaders.middleware import CorsMiddleware
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware

from kit.database.raw_sql import renew_if_dead
from kit.observability import metering
from kit.observability.current_request import current_request
from kit.rest.middleware.direct_routes import DirectRoutes
from kit.rest.requests.origins import may_call

GetResponse = Callable[[HttpRequest], HttpResponseBase]
ViewHook = Callable[[HttpRequest, Callable[..., HttpResponseBase], tuple[Any, ...], dict[str, Any]], Any]

_TRACEABLE = re.compile(r"[!-~]{1,64}")
log = structlog.get_logger()


class RequestLog:
    """Outermost: gives each request an id, on every log line about it and on its answer, and one line at its end.

    A caller's own X-Request-Id is kept only behind a proxy of ours (TRUSTED_PROXIES): anybody else could forge one.
    The path is logged without its query, which may hold what people searched for, and with its secrets masked
    (settings.SECRETS). Tracebacks of a 500 are logged by Django under the same id: the process's random name and the
    number of the request in it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.process = secrets.token_hex(8)
        self.numbers = itertools.count(1)
        self.count = _counter()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        request_id = _inbound_id(request) or f"{self.process}-{next(self.numbers)}"
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        # Reset even so: it would keep the request's connection open until the thread serves another one.
        served = current_request.set(request)
        try:
            response = self.get_response(request)
        finally:
            current_request.reset(served)
        response.headers["X-Request-Id"] = request_id
        route = request.resolver_match.route if request.resolver_match else None
        seconds = time.perf_counter() - started
        log.info(
            "request",
            method=request.method,
            path=request.path,
            route=route,
            status=response.status_code,
            duration_ms=round(seconds * 1000, 3),
        )
        if self.count is not None:
            self.count(route, request.method, response.status_code, seconds)
        return response


class Cors(CorsMiddleware):
    """django-cors-headers, for requests with an Origin. Other requests only get `Vary: Origin`.

    Which origins may call depends on the path: kit/rest/requests/origins.py decides, in place of a list of origins.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "HTTP_ORIGIN" in request.META:
            return cast(HttpResponseBase, super().__call__(request))
        response = cast(HttpResponseBase, self.get_response(request))
        varies = response.headers.get("Vary")
        response.headers["Vary"] = f"{varies}, origin" if varies else "origin"
        return response

    def add_response_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if may_call(request.META["HTTP_ORIGIN"], request.path_info):
            return super().add_response_headers(request, response)
        patch_vary_headers(response, ("origin",))
        return response

    def origin_found_in_white_lists(self, origin: str, url: SplitResult) -> bool:
        return True  # so that django-cors-headers calls add_response_headers


class PageCompression(GZipMiddleware):
    """Django's compression, which pads by a random length (against BREACH), for HTML of the admin site alone.

    What storefronts ask for is compressed by the proxy, so that it costs the web processes nothing.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = request.path_info.startswith("/admin/") and response.get("Content-Type", "").startswith("text/html")
        return super().process_response(request, response) if is_page and not response.streaming else response


def _counter() -> Callable[[str | None, str | None, int, float], None] | None:
    """What counts requests for metrics; None where metrics are off."""
    if not metering.IS_ON:
        return None
    from kit.observability.metrics import count_request  # noqa: PLC0415 - not loaded where metrics are off

    return count_request


def _inbound_id(request: HttpRequest) -> str | None:
    if not settings.TRUSTED_PROXIES:
        return None
    header = request.META.get("HTTP_X_REQUEST_ID", "")
    return header if _TRACEABLE.fullmatch(header) else None


def _with_length(response: Any) -> HttpResponseBase:
    """What Django's CommonMiddleware does for pages; without a length the server sends chunks."""
    if not response.streaming and response.status_code not in (204, 304) and "Content-Length" not in response.headers:
        response.headers["Content-Length"] = str(len(response.content))
    return cast(HttpResponseBase, response)


_SITE_LAYERS: Sequence[Callable[[Any], Any]] = (
    WhiteNoiseMiddleware,
    PageCompression,
    CSPMiddleware,
    CommonMiddleware,
    CsrfViewMiddleware,
    AuthenticationMiddleware,
    MessageMiddleware,
    XFrameOptionsMiddleware,
)


class SiteLayers:
    """Runs `_SITE_LAYERS` around the pages that browsers show, and lets API requests past.

    Whatever settings.API_PATHS does not match is such a page, so that a forgotten entry costs an API route time and
    never costs a page its protection. An API request must name one of ALLOWED_HOSTS, as pages must. Of a layer's
    hooks, `process_view` is honoured beside the call itself.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.for_api = DirectRoutes(get_response).answer
        self.for_site: Callable[[HttpRequest], Any] = get_response
        self.view_hooks: list[ViewHook] = []
        self.is_api = re.compile(settings.API_PATHS).match
        for middleware in reversed(_SITE_LAYERS):
            layer = middleware(self.for_site)
            if hasattr(layer, "process_view"):
                self.view_hooks.insert(0, layer.process_view)
            self.for_site = convert_exception_to_response(layer)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if self.is_api(request.path_info):
            if not request.path_info.startswith("/health/"):  # a prober knows the address, not the name
                request.get_host()
            return _with_length(self.for_api(request))
        renew_if_dead()
        response: HttpResponseBase = self.for_site(request)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """The layers' own look at the view, outermost first; the first answer ends the request."""
        if self.is_api(request.path_info):
            return None
        answers = (hook(request, view, args, kwargs) for hook in self.view_hooks)
        return next((answer for answer in answers if answer is not None), None)
