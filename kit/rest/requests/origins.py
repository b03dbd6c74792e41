"""Which pages may call which routes, by the Origin that a browser sends.

Storefronts run third-party scripts, so their pages must not use the session cookie of staff.
Why: docs/decisions/security.md#storefronts-cannot-use-the-session-of-staff.
"""

import re

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

_OF_STAFF = re.compile("/(admin|auth/user|uploads)/").match
_OF_SHOPPERS = re.compile("/(store|auth/customer)/").match


def may_call(origin: str, path: str) -> bool:
    """Whether pages of that origin, other than the server's own, may call the route."""
    if is_route_of_staff(path):
        return _is_back_office(origin)
    return _is_storefront(origin) or (_is_back_office(origin) and not _OF_SHOPPERS(path))


def is_for_staff(request: HttpRequest) -> bool:
    """Whether the request may use or open a session of staff: it comes from a page for staff, or from no page."""
    origin = request.META.get("HTTP_ORIGIN")
    return origin is None or _is_back_office(origin) or is_own(origin, request)


def is_route_of_staff(path: str) -> bool:
    """Whether only pages for staff may call the route."""
    return _OF_STAFF(path) is not None


def is_own(origin: str, request: HttpRequest) -> bool:
    """Whether the origin is the server's own."""
    try:
        return origin == f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return False


def is_own_page(request: HttpRequest) -> bool:
    """Whether a form is on a page of this site. Its CSRF token is in the body, which arrives only after the head."""
    origin = request.META.get("HTTP_ORIGIN", "")
    return is_own(origin, request) or origin in settings.CSRF_TRUSTED_ORIGINS


def _is_back_office(origin: str) -> bool:
    return origin in settings.ADMIN_CORS_ORIGINS


def _is_storefront(origin: str) -> bool:
    local = settings.CORS_ALLOWED_ORIGIN_REGEXES
    return origin in settings.CORS_ALLOWED_ORIGINS or any(re.fullmatch(pattern, origin) for pattern in local)
