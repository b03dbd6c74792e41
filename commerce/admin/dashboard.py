"""The first page: what each app has to say of itself, in figures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from commerce.admin.acting import acting
from commerce.admin.sections import Section
from commerce.core.actor import Actor


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its meaning; `address` leads to the rows that were counted."""

    count: int
    meaning: str
    address: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The figures of one matter."""

    section: Section
    title: str
    figures: tuple[Figure, ...]


PanelFor = Callable[[Actor], Panel | None]
_panels: list[PanelFor] = []


def panel(maker: PanelFor) -> PanelFor:
    """Enter a panel, as an app's admin module does. Asked at each visit, it answers None to those it is not for."""
    _panels.append(maker)
    return maker


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The page's context with the panels that this user may see. For UNFOLD["DASHBOARD_CALLBACK"]."""
    actor = acting(request)
    made = [made for maker in _panels if (made := maker(actor)) is not None]
    sections = list(Section)
    return {**context, "panels": sorted(made, key=lambda panel: sections.index(panel.section))}
