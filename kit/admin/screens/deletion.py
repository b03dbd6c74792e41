"""Deleting and restoring many rows at once."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from kit.admin.actions.confirmation import perform_confirmed
from kit.admin.actions.verb_actions import DELETED, Outcome
from kit.errors import NotAllowed

RESTORED = Outcome("restored")


@admin.action(description="Delete selected %(verbose_name_plural)s", permissions=["delete"])
def delete_selected(screen: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
    """In place of Django's own action, whose page collects all rows and everything that refers to them.

    A screen that has it has `delete_chosen`, too.
    """
    return perform_confirmed(
        screen,
        request,
        queryset,
        screen.delete_chosen,
        DELETED,
        action="delete_selected",
        question=f"Delete the selected {screen.opts.verbose_name_plural}?",
        note=screen.deletion_note,
    )


def delete_chosen(screen: Any, request: HttpRequest, row: Any) -> None:
    """Delete one of the selected rows. Raises NotAllowed where the user may not delete this one."""
    if not screen.has_delete_permission(request, row):
        raise NotAllowed("You may not delete this row")
    screen.delete_model(request, row)


@admin.action(description="Restore selected %(verbose_name_plural)s", permissions=["delete"])
def restore_selected(screen: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
    """For screens with `restore_chosen`."""
    return perform_confirmed(
        screen,
        request,
        queryset,
        screen.restore_chosen,
        RESTORED,
        action="restore_selected",
        question=f"Restore the selected {screen.opts.verbose_name_plural}?",
        button="Restore",
    )
