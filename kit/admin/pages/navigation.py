"""The sidebar: every screen under its section, as far as the user may see it, and the rare ones behind More."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.base_admin import BaseAdmin
from kit.admin.sections import Section

MOST_AT_ONCE = 10
"""Of so few screens, all are daily."""


def sidebar(request: HttpRequest) -> Sequence[Mapping[str, Any]]:
    """The groups of UNFOLD["SIDEBAR"]; one without a screen for this user is left out.

    The first item behind More has a `summary`, which opens them; they are open around the present page.
    """
    groups: dict[Section, list[dict[str, Any]]] = {section: [] for section in Section}
    listed = list(_listed(request))
    for screen, address in listed:
        is_daily = len(listed) <= MOST_AT_ONCE or _is_daily(screen, request)
        item = {"title": screen.title, "icon": screen.icon, "link": address, "is_daily": is_daily}
        groups[screen.section].append({**item, "active": request.path.startswith(address)})
    index = reverse("admin:index")
    overview = {"title": "Overview", "icon": "space_dashboard", "link": index, "active": request.path == index}
    return [{"items": [overview]}, *(_group(section, items) for section, items in groups.items() if items)]


def _listed(request: HttpRequest) -> Iterator[tuple[BaseAdmin[Any], str]]:
    """Our screens with the addresses of their lists, by their rank, then by name."""
    models = [model for app in admin.site.get_app_list(request) for model in app["models"] if model["admin_url"]]
    screens = [(admin.site.get_model_admin(model["model"]), model["admin_url"]) for model in models]
    ours = [(screen, address) for screen, address in screens if isinstance(screen, BaseAdmin)]
    yield from sorted(ours, key=lambda one: (one[0].menu_rank, one[0].title))


def _is_daily(screen: BaseAdmin[Any], request: HttpRequest) -> bool:
    opts, act = screen.opts, screen.daily
    return bool(act) and bool(request.user.has_perm(f"{opts.app_label}.{act}_{opts.model_name}"))


def _group(section: Section, items: Sequence[dict[str, Any]]) -> Mapping[str, Any]:
    daily, rare = ([item for item in items if item["is_daily"] is daily] for daily in (True, False))
    if rare:
        rare[0] |= {"summary": "More" if daily else section, "is_open": any(item["active"] for item in rare)}
    return {"title": section, "items": [*daily, *rare], "is_folded": not daily, "has_more": bool(rare)}
