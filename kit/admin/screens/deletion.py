"""Deleting and restoring many rows at once."""

from typing import Any

from django.contrib.admin.models import DELETION
from django.http import HttpRequest

from kit.admin.actions.bulk_action import bulk_action
from kit.errors import NotAllowed

delete_selected = bulk_action(
    "delete_chosen",
    name="delete_selected",
    description="Delete selected %(verbose_name_plural)s",
    question="Delete the selected %(verbose_name_plural)s?",
    participle="deleted",
    note="%(deletion_note)s",
    permission="delete",
    flag=DELETION,
)
"""In place of Django's own action, whose page collects all rows and everything that refers to them."""

restore_selected = bulk_action(
    "restore_chosen",
    name="restore_selected",
    description="Restore selected %(verbose_name_plural)s",
    question="Restore the selected %(verbose_name_plural)s?",
    participle="restored",
    button="Restore",
    permission="delete",
)


def delete_chosen(screen: Any, request: HttpRequest, row: Any) -> None:
    """Delete one of the selected rows. Raises NotAllowed where the user may not delete this one."""
    if not screen.has_delete_permission(request, row):
        raise NotAllowed("You may not delete this row")
    screen.delete_model(request, row)
