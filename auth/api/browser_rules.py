"""Protection of cookie sessions against pages of other sites.

Why: docs/decisions/security.md#cookies-change-data-only-from-allowed-origins.
"""

from django.http import HttpRequest

from auth.account_types.accounts import Account
from kit.errors import Forbidden
from kit.rest.requests.origins import is_for_staff, is_own, is_route_of_staff, may_call

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES = frozenset({"same-origin", "same-site", "none"})


def refuse_foreign_page(request: HttpRequest, *, takes_files: bool = False) -> None:
    """Raise Forbidden for an unsafe request that a page of another site may have made, and for its reads on /admin.

    A body must be JSON, which no HTML form can send. Without Origin and Sec-Fetch-Site the client is no browser.
    takes_files: a form with files may be sent instead; then an Origin is required.
    """
    is_safe = request.method in _SAFE_METHODS
    if is_safe and not is_route_of_staff(request.path_info):
        return
    origin = request.META.get("HTTP_ORIGIN")
    if not is_safe:
        _refuse_form(request, takes_files=takes_files)
        if origin is None and request.META.get("HTTP_SEC_FETCH_SITE", "none") not in _OWN_SITES:
            raise Forbidden("Requests with a session cookie from other sites are not allowed")
    if origin is not None and not may_call(origin, request.path_info) and not is_own(origin, request):
        raise Forbidden("The Origin of the request is not allowed")


def _refuse_form(request: HttpRequest, *, takes_files: bool) -> None:
    if takes_files:
        if "HTTP_ORIGIN" not in request.META:
            raise Forbidden("Uploading files with a session cookie requires an Origin")
    elif request.META.get("CONTENT_LENGTH") not in (None, "", "0") and request.content_type != "application/json":
        raise Forbidden("A request with a session cookie must have the Content-Type application/json")


def refuse_foreign_session(request: HttpRequest, account: Account) -> None:
    """Raise Forbidden for a staff session on an origin that is not for staff."""
    if account.actor_type == "user" and not is_for_staff(request):
        raise Forbidden("The Origin of the request may not open sessions of staff")
