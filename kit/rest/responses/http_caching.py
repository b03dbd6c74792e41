"""What caches may keep of an answer.

Source: RFC 9110, 8.8.3 and 13.1.2; RFC 9111. Why: docs/decisions/http.md#caches-revalidate-responses.
"""

from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from xxhash import xxh3_128_hexdigest

ONE_CALLER = "private, no-cache"
"""Shared caches must not store the answer; other caches must revalidate it before each use."""


def revalidated(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    """The catalogue's answer to an anonymous GET, with its weak ETag; 304 for a client that has it already.

    The answer is computed all the same: a 304 saves transfer. The tag is weak since proxies may compress the answer.
    """
    etag = f'W/"{xxh3_128_hexdigest(response.content)}"'
    if _is_held(etag, request.META.get("HTTP_IF_NONE_MATCH", "")):
        response = HttpResponseNotModified()
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = _cache_control(request.META.get("QUERY_STRING", ""))
    return response


def _is_held(etag: str, if_none_match: str) -> bool:
    """Whether one of the client's tags matches, by weak comparison: `W/` is ignored."""
    held = parse_etags(if_none_match) if if_none_match else []
    return held == ["*"] or etag[2:] in (each.removeprefix("W/") for each in held)


def _cache_control(query_string: str) -> str:
    """Allow shared caches if STORE_MAX_AGE is set; never for a cart, since its id gives access to it."""
    if not settings.STORE_MAX_AGE or "cart_id" in unquote(query_string):
        return ONE_CALLER
    return f"public, max-age={settings.STORE_MAX_AGE}"
