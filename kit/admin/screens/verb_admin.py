"""Screens that write through the app's verbs, so that staff, APIs and commands follow the same rules.

A verb's refusal (DomainError) is shown above the form or as a message, and nothing has changed: Django wraps each of
these views in one transaction, which the refusal rolls back together with the entry of the history.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, TypeVar, cast

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kit.admin.actions.bulk_action import row_button
from kit.admin.base_admin import BaseAdmin
from kit.admin.history.change_message import FormSet, ModelForm
from kit.admin.history.conflicts import reason_of, refuse_as
from kit.admin.request_actor import request_actor
from kit.admin.screens import deletion
from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.errors import DomainError

Stored = TypeVar("Stored", bound=BaseModel)
RESTORABLE: tuple[str, ...] = ("delete_selected", "restore_selected")
"""The `actions` of a screen whose rows can be restored; its `actions_detail` has `restore`."""


class VerbAdmin(BaseAdmin[Stored]):
    """Subclasses call their verbs in `write`, `delete` and `restore_row`.

    Their models have soft deletion and `visible_to`, and their forms are VerbForms.
    forbids: which of `add`, `change` and `delete` nobody may do here. shows_deleted: whether deleted rows are shown,
    to be restored or to read their history; DeletionFilter keeps them from lists.
    """

    forbids: ClassVar[frozenset[str]] = frozenset()
    shows_deleted: ClassVar[bool] = True

    actions: tuple[str, ...] = ("delete_selected",)
    delete_confirmation_template = "admin/confirmation.html"

    def write(self, *, actor: Actor, form: Any, row: Stored | None) -> Model:
        """Call the verbs for the valid form; `row` is None for a new one. Returns the saved row."""
        raise NotImplementedError

    def delete(self, *, actor: Actor, row: Stored) -> None:
        """Call the verb."""
        raise NotImplementedError

    def restore_row(self, *, actor: Actor, row: Stored) -> None:
        """Call the verb."""
        raise NotImplementedError

    # --- Who may what ------------------------------------------------------------------------------------------------

    def reader(self, request: HttpRequest) -> Actor:
        """To whom the rows must be visible."""
        return request_actor(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stored]:
        rows: QuerySet[Stored] = self.model.objects.visible_to(self.reader(request), with_deleted=self.shows_deleted)
        return rows.order_by(*self.get_ordering(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return "add" not in self.forbids and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Stored | None = None) -> bool:
        return self._may("change", obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Stored | None = None) -> bool:
        return self._may("delete", obj) and super().has_delete_permission(request, obj)

    def _may(self, verb: str, row: Stored | None) -> bool:
        return verb not in self.forbids and (row is None or row.deleted_at is None)

    def has_restore_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Users who may delete may restore."""
        return self.has_delete_permission(request)

    # --- One row ---------------------------------------------------------------------------------------------------

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> Any:
        """If a verb refuses, serve the same request again with a form that shows the refusal."""
        serve = partial(super().changeform_view, request, object_id, form_url, extra_context)
        try:
            return serve()
        except DomainError as refusal:
            refuse_as(request, refusal)
            return serve()

    def save_form(self, request: HttpRequest, form: ModelForm, change: bool) -> Model:
        """The row as the verbs leave it, where Django would take an unsaved instance."""
        return self.write(
            actor=request_actor(request), form=form, row=cast("Stored", form.instance) if change else None
        )

    def save_model(self, request: HttpRequest, obj: Stored, form: ModelForm, change: bool) -> None:
        """Nothing remains to be saved."""

    def save_related(self, request: HttpRequest, form: ModelForm, formsets: Iterable[FormSet], change: bool) -> None:
        """The parts. Many-to-many fields were written with the row."""
        for formset in formsets:
            self.save_formset(request, form, formset, change)

    # --- Deletion --------------------------------------------------------------------------------------------------

    delete_selected = deletion.delete_selected
    restore_selected = deletion.restore_selected

    def delete_chosen(self, request: HttpRequest, row: Stored) -> None:
        """Delete by the verb, which gives the reason if it refuses."""
        self.delete_model(request, row)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        texts = {"question": f"Delete this {self.opts.verbose_name}?", "note": self.deletion_note}
        serve = partial(super().delete_view, request, object_id, {**(extra_context or {}), **texts})
        try:
            answer: HttpResponse = retry_on_conflict(serve)
        except DomainError as refusal:
            self.message_user(request, reason_of(refusal), messages.ERROR)
            return redirect(self.address(unquote(object_id)))
        return answer

    def delete_model(self, request: HttpRequest, obj: Stored) -> None:
        self.delete(actor=request_actor(request), row=obj)

    def get_deleted_objects(
        self, objs: Iterable[Stored], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Only the rows: soft deletion does not cascade, and the verb reports what forbids it."""
        return [str(row) for row in objs], {}, set(), []

    def offers_action(self, request: HttpRequest, row: Stored, name: str) -> bool:
        """A deleted row can be restored."""
        return row.deleted_at is not None if name == "restore" else super().offers_action(request, row, name)

    restore = row_button("restore", restore_selected, description="Restore", icon="restore_from_trash")

    def restore_chosen(self, request: HttpRequest, row: Stored) -> None:
        """Restore one of the selected rows."""
        self.restore_row(actor=request_actor(request), row=row)
