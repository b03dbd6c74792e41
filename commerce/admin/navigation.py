"""The sidebar: every screen under its section, as far as the user may see it."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from commerce.admin.base_admin import BaseAdmin
from commerce.admin.sections import Section


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of UNFOLD["SIDEBAR"]; one without a screen for this user is left out."""
    groups: dict[Section, list[dict[str, Any]]] = {section: [] for section in Section}
    for app in admin.site.get_app_list(request):
        for model in app["models"]:
            screen = admin.site.get_model_admin(model["model"])
            if isinstance(screen, BaseAdmin) and model["admin_url"]:
                title = screen.menu_title or model["name"]
                groups[screen.section].append({"title": title, "icon": screen.icon, "link": model["admin_url"]})
    overview = {"items": [{"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")}]}
    return [overview, *({"title": section, "items": items} for section, items in groups.items() if items)]
