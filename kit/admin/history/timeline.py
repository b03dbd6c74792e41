"""Timelines: what happened to a row, when and by whom, newest first."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.utils.html import format_html

from kit.values.shown_dates import shown_moment


class TimelineEvent(NamedTuple):
    """at: when. what: text or safe HTML. by: who, as text; "" if unknown.

    by_staff: the id of a staff user, instead of `by`.
    """

    at: datetime
    what: str
    by: str = ""
    by_staff: str | None = None


Source = Callable[[HttpRequest, str], Iterable[TimelineEvent]]
"""Called with the request and the id of the timeline's row. It checks what the user may see."""


class Entry(NamedTuple):
    """A line of the page."""

    when: str
    what: str
    by: str


def stamp(at: datetime) -> str:
    """The moment on one line."""
    return format_html('<span class="whitespace-nowrap">{}</span>', shown_moment(at))


def entries(events: Iterable[TimelineEvent], name_of: Callable[[str | None], str], *, most: int) -> Iterator[Entry]:
    """The newest events as entries; of those at the same moment, the later ones in `events` count as newer.

    name_of: returns the name of a staff user.
    """
    in_order = sorted(events, key=lambda each: each.at)
    for each in reversed(in_order[-most:]):
        yield Entry(shown_moment(each.at), each.what, each.by or name_of(each.by_staff))
