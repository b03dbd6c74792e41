"""Compression of the admin site's pages, whatever stands in front of the server."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_SITE = "/admin/"


class PageCompression(GZipMiddleware):
    """Django's compression, which pads by a random length (against BREACH), for HTML of the admin site alone.

    What storefronts ask for is compressed by the proxy, so that it costs the web processes nothing.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = request.path_info.startswith(_SITE) and response.get("Content-Type", "").startswith("text/html")
        return super().process_response(request, response) if is_page and not response.streaming else response
