"""The sidebar: every screen under its section, as far as the user may see it, and the rare ones behind More."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.base_admin import BaseAdmin
from kit.admin.pages.menu_markup import Item, section_markup
from kit.admin.sections import Section

MOST_AT_ONCE = 10
"""Of so few screens, none is behind More."""


def sidebar(request: HttpRequest) -> Sequence[Mapping[str, Any]]:
    """The groups of UNFOLD["SIDEBAR"]; one without a screen for this user is left out.

    daily: how many of the items are not behind More. markup: of the group.
    """
    daily: dict[Section, list[dict[str, Any]]] = {section: [] for section in Section}
    rare: dict[Section, list[dict[str, Any]]] = {section: [] for section in Section}
    listed = list(_listed(request))
    for screen, address in listed:
        is_daily = len(listed) <= MOST_AT_ONCE or _is_daily(screen, request)
        item = {"title": screen.title, "icon": screen.icon, "link": address}
        (daily if is_daily else rare)[screen.section].append({**item, "active": request.path.startswith(address)})
    index = reverse("admin:index")
    overview = {"title": "Overview", "icon": "space_dashboard", "link": index, "active": request.path == index}
    groups = [("", [overview], []), *((section, daily[section], rare[section]) for section in Section)]
    return [_group(*group) for group in groups if group[1] or group[2]]


def _listed(request: HttpRequest) -> Iterator[tuple[BaseAdmin[Any], str]]:
    """Our screens with the addresses of their lists, by their rank, then by name."""
    models = [model for app in admin.site.get_app_list(request) for model in app["models"] if model["admin_url"]]
    screens = [(admin.site.get_model_admin(model["model"]), model["admin_url"]) for model in models]
    ours = [(screen, address) for screen, address in screens if isinstance(screen, BaseAdmin)]
    yield from sorted(ours, key=lambda one: (one[0].menu_rank, one[0].title))


def _is_daily(screen: BaseAdmin[Any], request: HttpRequest) -> bool:
    """Who sees a screen in the menu may view it."""
    opts, act = screen.opts, screen.daily
    return act == "view" or bool(act and request.user.has_perm(f"{opts.app_label}.{act}_{opts.model_name}"))


def _group(title: str, daily: Sequence[Item], rare: Sequence[Item]) -> Mapping[str, Any]:
    markup = section_markup(title, daily, rare)
    return {"title": title, "items": [*daily, *rare], "daily": len(daily), "markup": markup}
