"""What a page may do with nothing but the cookie that a browser sends by itself. Source: behaviour.md 0.9."""

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from commerce.core.errors import Forbidden

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES = frozenset({"same-origin", "same-site", "none"})


def refuse_foreign_page(request: HttpRequest) -> None:
    """Raise Forbidden for an unsafe request that a page of another site may have sent.

    A body must be JSON, which no HTML form can send. Neither Origin nor Sec-Fetch-Site means that no browser sent it.
    """
    if request.method in _SAFE_METHODS:
        return
    if request.META.get("CONTENT_LENGTH") not in (None, "", "0") and request.content_type != "application/json":
        raise Forbidden("A request with a session cookie must have the Content-Type application/json")
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None:
        if origin not in settings.CORS_ALLOWED_ORIGINS and origin != _own_origin(request):
            raise Forbidden("The Origin of the request is not allowed")
    elif request.META.get("HTTP_SEC_FETCH_SITE", "none") not in _OWN_SITES:
        raise Forbidden("Requests with a session cookie from other sites are not allowed")


def _own_origin(request: HttpRequest) -> str | None:
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return None
