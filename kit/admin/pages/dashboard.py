"""The first page: figures of each app."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.lists.row_link import may_open
from kit.admin.request_actor import request_actor
from kit.admin.sections import Section
from kit.domain.actor import Actor

MOST_COUNTED = 1000
"""The highest number that the overview shows, so that counting stays cheap."""
RANK = 10


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its meaning. address: the URL of the counted rows; "" if the user may not see them.

    is_more: whether there are more than `count`.
    """

    count: int
    meaning: str
    address: str
    is_more: bool = False

    @property
    def text(self) -> str:
        """`1,000+`."""
        return f"{self.count:,}{'+' if self.is_more else ''}"


@dataclass(frozen=True, slots=True)
class Panel:
    """One subject on the overview: figures, and `content`, which the template renders.

    rank: panels are sorted by it, then by section. is_wide: whether it takes the full width. note: a sentence below the
    figures. more: the URL of the list, if the content shows only its first rows.
    """

    section: Section
    title: str
    figures: tuple[Figure, ...] = ()
    rank: int = RANK
    is_wide: bool = False
    note: str = ""
    template: str = ""
    content: object = None
    more: str = ""


def counted(rows: QuerySet[Any], meaning: str, address: str) -> Figure:
    """The number of rows, up to MOST_COUNTED. One statement."""
    return figure_of(rows.order_by()[: MOST_COUNTED + 1].count(), meaning, address)


def figure_of(count: int, meaning: str, address: str) -> Figure:
    """The figure for a count that stopped at MOST_COUNTED + 1."""
    return Figure(min(count, MOST_COUNTED), meaning, address, is_more=count > MOST_COUNTED)


def counted_each(rows: QuerySet[Any], figures: Mapping[str, tuple[Q, str]]) -> tuple[Figure, ...]:
    """A figure for each meaning: how many rows fulfil the condition. One statement.

    With each condition goes the query string of the list that shows its rows.
    """
    conditions = {f"figure_{number}": condition for number, (condition, _) in enumerate(figures.values())}
    counts = rows.aggregate(**{name: Count("pk", filter=condition) for name, condition in conditions.items()})
    meta = rows.model._meta
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
    return tuple(
        Figure(counts[name], meaning, f"{address}?{query}" if query else address)
        for name, (meaning, (_, query)) in zip(conditions, figures.items(), strict=True)
    )


PanelFor = Callable[[Actor], Panel | None]
_panels: list[tuple[str, PanelFor]] = []
RECENT = 10
"""How many of the user's last actions are shown."""


def panel(permission: str = "") -> Callable[[PanelFor], PanelFor]:
    """Register a panel of an app's admin module for users with the permission. Each visit makes it again."""

    def enter(maker: PanelFor) -> PanelFor:
        _panels.append((permission, maker))
        return maker

    return enter


def overview(request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
    """The page's context with the panels that this user may see. For UNFOLD["DASHBOARD_CALLBACK"]."""
    actor = request_actor(request)
    makers = [maker for permission, maker in _panels if not permission or actor.may(permission)]
    made = [made for maker in makers if (made := maker(actor)) is not None]
    sections = list(Section)
    return {
        **context,
        "panels": sorted(made, key=lambda panel: (panel.rank, sections.index(panel.section))),
        "recent": list(_recent(request)),
    }


def _recent(request: HttpRequest) -> Iterator[tuple[LogEntry, str | None]]:
    """The user's last actions, each with the URL of the row if they may open it."""
    entries = LogEntry.objects.filter(user=str(request.user.pk)).select_related("content_type").order_by("-pk")
    for entry in entries[:RECENT]:
        model = entry.content_type.model_class() if entry.content_type else None
        is_open = model is not None and not entry.is_deletion() and may_open(request, model)
        yield entry, entry.get_admin_url() if is_open else None
