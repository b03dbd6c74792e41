"""The sidebar: every screen under its section, as far as the user may see it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.base_admin import BaseAdmin
from kit.admin.sections import Section


def sidebar(request: HttpRequest) -> Sequence[Mapping[str, Any]]:
    """The groups of UNFOLD["SIDEBAR"]; one without a screen for this user is left out."""
    groups: dict[Section, list[dict[str, str]]] = {section: [] for section in Section}
    listed = [model for app in admin.site.get_app_list(request) for model in app["models"] if model["admin_url"]]
    screens = [(admin.site.get_model_admin(model["model"]), model) for model in listed]
    ours = [(screen, model) for screen, model in screens if isinstance(screen, BaseAdmin)]
    for screen, model in sorted(ours, key=lambda one: one[0].menu_rank):
        groups[screen.section].append({"title": screen.title, "icon": screen.icon, "link": model["admin_url"]})
    overview = {"items": [{"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")}]}
    return [overview, *({"title": section, "items": items} for section, items in groups.items() if items)]
