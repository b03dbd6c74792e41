"""The breadcrumbs of a page, in the words of the menu."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst

from kit.admin.base_admin import BaseAdmin
from kit.admin.lists.kept_list import with_list

register = template.Library()


@register.filter
def breadcrumb_title(part: Mapping[str, Any]) -> str:
    """The title of a breadcrumb. The theme names lists by their models; the menu has the screen's name.

    Names of rows stay as they are: they may be email addresses or codes.
    """
    title = part["title"]
    return _lists().get(str(part.get("link", ""))) or (str(title) if isinstance(title, Model) else str(capfirst(title)))


@register.filter
def breadcrumb_link(part: Mapping[str, Any], request: HttpRequest) -> str:
    """The address of a breadcrumb; that of the list as the user left it."""
    return with_list(request, str(part["link"]))


@cache
def _lists() -> dict[str, str]:
    """The names of all screens by the URL of the list."""
    screens = [one for one in admin.site._registry.values() if isinstance(one, BaseAdmin)]  # noqa: SLF001 - no public way
    return {reverse(f"admin:{one.opts.app_label}_{one.opts.model_name}_changelist"): one.title for one in screens}
