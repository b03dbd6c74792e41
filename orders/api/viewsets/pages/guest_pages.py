"""What the shop's own pages for guests share: they work without cookies, and nobody can embed, index or trace them."""

from collections.abc import Mapping, Sequence

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kit.errors import DomainError, NotFound
from kit.messages.mails.kinds import SHOP_NAME
from kit.rest.responses.errors import refuse

_POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}


def guest_page(
    request: HttpRequest,
    template: str,
    *,
    status: int = 200,
    sources: Mapping[str, Sequence[str]] | None = None,
    **context: object,
) -> HttpResponse:
    """The page, with the shop's name. sources: what it loads besides our styles, by directive of its CSP."""
    page = render(request, template, {"shop": SHOP_NAME.get(), **context}, status=status)
    csp({**_POLICY, **(sources or {})})(lambda _: page)(request)  # marks the response
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["X-Robots-Tag"] = "noindex, nofollow"
    return page


def refused_page(request: HttpRequest, template: str, refusal: DomainError) -> HttpResponse:
    """The page of a link that is over (is_over), or that cannot be served now (is_refused)."""
    refused = refuse(refusal)
    is_over = isinstance(refusal, NotFound)
    page = guest_page(request, template, status=refused.status_code, is_over=is_over, is_refused=True)
    if "Retry-After" in refused.headers:
        page.headers["Retry-After"] = refused.headers["Retry-After"]
    return page
