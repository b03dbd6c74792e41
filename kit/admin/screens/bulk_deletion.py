"""Screens on which many rows are deleted at once."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from kit.admin.actions.confirmation import perform_confirmed
from kit.admin.actions.verb_actions import DELETED
from kit.admin.base_admin import BaseAdmin
from kit.database.locking import Row
from kit.errors import NotAllowed


class BulkDeletionAdmin(BaseAdmin[Row]):
    """Replaces Django's own action, whose confirmation page collects all rows and everything that refers to them.

    deletion_note: a sentence that follows the question.
    """

    deletion_note: ClassVar[str] = ""

    actions: tuple[str, ...] = ("delete_selected",)

    @admin.action(description="Delete selected %(verbose_name_plural)s", permissions=["delete"])
    def delete_selected(self, request: HttpRequest, queryset: QuerySet[Row]) -> HttpResponse | None:
        return perform_confirmed(
            self,
            request,
            queryset,
            self.delete_chosen,
            DELETED,
            action="delete_selected",
            question=f"Delete the selected {self.opts.verbose_name_plural}?",
            note=self.deletion_note,
        )

    def delete_chosen(self, request: HttpRequest, row: Row) -> None:
        """Delete one of the selected rows. Raises NotAllowed where the user may not delete this one."""
        if not self.has_delete_permission(request, row):
            raise NotAllowed("You may not delete this row")
        self.delete_model(request, row)
