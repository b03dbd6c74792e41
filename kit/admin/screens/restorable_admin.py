"""Screens whose deleted rows can be restored."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from kit.admin.actions.confirmation import perform_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.actions.verb_actions import Outcome
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import Stored, VerbAdmin
from kit.domain.actor import Actor

RESTORED = Outcome("restored")


class RestorableAdmin(VerbAdmin[Stored]):
    """Subclasses call their verb in `restore_row`. Users who may delete may restore."""

    actions: tuple[str, ...] = ("delete_selected", "restore_selected")
    actions_detail: tuple[str, ...] = ("restore",)

    def restore_row(self, *, actor: Actor, row: Stored) -> None:
        """Call the verb."""
        raise NotImplementedError

    def restore_chosen(self, request: HttpRequest, row: Stored) -> None:
        """Restore one of the selected rows."""
        self.restore_row(actor=request_actor(request), row=row)

    def offers_actions(self, request: HttpRequest, row: Stored) -> bool:
        """A deleted one can be restored."""
        return row.deleted_at is not None

    @row_action(description="Restore", icon="restore_from_trash")
    def restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.on_row(request, object_id, self.restore_selected)

    def has_restore_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_delete_permission(request)

    @admin.action(description="Restore selected %(verbose_name_plural)s", permissions=["delete"])
    def restore_selected(self, request: HttpRequest, queryset: QuerySet[Stored]) -> HttpResponse | None:
        return perform_confirmed(
            self,
            request,
            queryset,
            self.restore_chosen,
            RESTORED,
            action="restore_selected",
            question=f"Restore the selected {self.opts.verbose_name_plural}?",
            button="Restore",
        )
