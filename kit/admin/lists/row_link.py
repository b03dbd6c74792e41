"""Links from one row's screen to another's; plain text for users who may not open it."""

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

LOOK = "font-medium text-primary-600 dark:text-primary-500"


def row_link(screen: str, key: str, said: str) -> str:
    """A link with that text. screen: as `reverse` knows it on the admin site, such as `payments_payment_change`."""
    address = reverse(f"admin:{screen}", args=[quote(key)])
    return format_html('<a href="{}" class="{}">{}</a>', address, LOOK, said)


def may_open(request: HttpRequest, model: type[Model], row: Model | None = None) -> bool:
    """Whether the user may open the model's screen, or that of the row."""
    if not admin.site.is_registered(model):
        return False
    return bool(admin.site.get_model_admin(model).has_view_or_change_permission(request, row))


def opening_link(request: HttpRequest, row: Model, *, closed: str | None = None) -> str:
    """A link to the row's screen; for a user who may not open it, `closed`, or the row's name.

    closed: required for rows whose name contains what only their screen may show, such as an email address.
    """
    if not may_open(request, type(row), row):
        return str(row) if closed is None else closed
    return row_link(f"{row._meta.app_label}_{row._meta.model_name}_change", row.pk, str(row))
