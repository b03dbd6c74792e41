"""The way back to a list: with the search, filters, order and page that the user left it with.

Django carries them in the address of a row's page as `_changelist_filters`, but only to where its own forms lead.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

KEPT = "_changelist_filters"

View = Callable[..., HttpResponseBase]


def keeping_list(view: View) -> View:
    """The view of the admin site; if it redirects to another page of the same screen, the list is kept."""

    @wraps(view)
    def served(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = view(request, *args, **kwargs)
        if isinstance(answer, HttpResponseRedirect):
            answer["Location"] = with_list(request, answer["Location"])
        return answer

    return served


def with_list(request: HttpRequest, address: str) -> str:
    """The address, with the list that the request's own address carries if it is a page of the same screen."""
    kept = request.GET.get(KEPT)
    parts = urlsplit(address)
    screen = _screen(request.path)
    is_list = parts.path.count("/") == _SLASHES_OF_LIST
    if not kept or (parts.query and is_list) or not screen or _screen(parts.path) != screen:
        return address
    own = parse_qsl(parts.query, keep_blank_values=True)
    return parts._replace(
        query=urlencode(parse_qsl(kept, keep_blank_values=True) if is_list else {**dict(own), KEPT: kept})
    ).geturl()


_SLASHES_OF_LIST = len("/admin/app/model/".split("/")) - 1


def _screen(path: str) -> list[str]:
    """The app and model in `/admin/app/model/…`; nothing for other paths."""
    return path.split("/")[2:4] if path.count("/") >= _SLASHES_OF_LIST else []


class LastPageAtMost(Paginator[Any]):
    """For a page beyond the last, the last: an action can empty the page that it returns to."""

    def page(self, number: int | str) -> Page[Any]:
        return super().page(min(int(number), self.num_pages))
