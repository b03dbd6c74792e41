"""Screens of rows with soft deletion, with the parts that are edited with them."""

from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.history.change_message import ModelForm
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import RESTORABLE, Stored, VerbAdmin
from kit.database.locking import lock_rows
from kit.domain import soft_deletion
from kit.domain.actor import Actor
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs


class SoftDeletionAdmin(VerbAdmin[Stored]):
    """The form describes the desired state of the row, and the verbs of its table write it: see kit/editing.

    verbs: what writes, deletes and restores the rows.
    reads: permissions that the rows' visibility requires in addition to the screen's.
    A row is locked while it is written, so that checks of its parts hold until it is.
    """

    verbs: ClassVar[RowVerbs[Any]]
    reads: ClassVar[tuple[str, ...]] = ()

    form = SoftDeletionForm
    list_per_page = 25
    readonly_fields: Any = ("id", "created_at", "updated_at", "deleted_at")
    pickable = Q(deleted_at=None)  # the list has its filter
    actions: tuple[str, ...] = RESTORABLE
    actions_detail: tuple[str, ...] = ("restore",)

    def reader(self, request: HttpRequest) -> Actor:
        """Django has checked the screen's permission by now."""
        actor = request_actor(request)
        for permission in (f"{self.opts.app_label}.view_{self.opts.model_name}", *self.reads):
            actor = actor.with_permission(permission)
        return actor

    def lock(self, row: Stored) -> None:
        lock_rows(self.locked_with(row))

    def locked_with(self, row: Stored) -> QuerySet[Model]:
        """The rows to lock while the row is written."""
        rows: QuerySet[Stored] = self.model.objects.filter(pk=row.pk)
        return rows

    # --- Verbs -------------------------------------------------------------------------------------------------------

    def save_form(self, request: HttpRequest, form: ModelForm, change: bool) -> Any:
        return ModelAdmin.save_form(self, request, form, change)

    def save_model(self, request: HttpRequest, obj: Stored, form: Any, change: bool) -> None:
        if not change or form.changed_data:
            (edited,) = self.verbs.put(actor=request_actor(request), states=[self.state_of(form)])
            soft_deletion.mark_stored(obj, edited.row)

    def state_of(self, form: Any) -> RowState:
        """The row state that the valid form describes."""
        state: RowState = form.state(self.verbs.state)
        return state

    def delete(self, *, actor: Actor, row: Stored) -> None:
        self.verbs.delete(actor=actor, ids=[row.pk])

    def restore_row(self, *, actor: Actor, row: Stored) -> None:
        self.verbs.restore(actor=actor, ids=[row.pk])
