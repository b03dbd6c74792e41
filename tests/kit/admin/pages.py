"""The URLs of the admin site's pages for which there are rows."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import reverse

from kit.admin.base_admin import BaseAdmin

Screen = tuple[type[Model], BaseAdmin]


def every_screen() -> list[Screen]:
    """Every model with its screens."""
    made = [(model, admin.site.get_model_admin(model)) for model in admin.site._registry]
    return [(model, screen) for model, screen in made if isinstance(screen, BaseAdmin)]


def list_pages() -> Iterator[str]:
    """Each list, and the pages that its buttons open."""
    for model, screen in every_screen():
        yield _address(model, "changelist")
        yield from (_address(model, name) for name in screen.actions_list)


def add_pages() -> Iterator[str]:
    """Each form for a new row."""
    for model, _ in every_screen():
        yield _address(model, "add")


def row_pages(*views: str, screens: Iterable[Screen] | None = None) -> Iterator[str]:
    """These views of the newest row of each model, or of the models of some screens."""
    for model, _ in every_screen() if screens is None else screens:
        for row in model._default_manager.order_by("-pk")[:1]:
            yield from (_address(model, view, row) for view in views)


def action_pages() -> Iterator[str]:
    """The pages that the buttons above those rows' forms open."""
    for model, screen in every_screen():
        yield from row_pages(*screen.actions_detail, screens=[(model, screen)])


def other_pages() -> list[str]:
    """The pages that belong to no model."""
    return [
        reverse(f"admin:{name}")
        for name in (
            *("index", "password_change", "password_change_done"),
            *("orders_order_sales", "orders_order_accounts", "orders_order_waiting_invoices"),
        )
    ]


def _address(model: type[Model], view: str, row: Any = None) -> str:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}"
    return reverse(name, args=[] if row is None else [quote(row.pk)])
