"""Screens of rows with soft deletion, with the parts that are edited with them."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin
from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.forms.metadata_field import MetadataField
from kit.admin.forms.plain_pickers import RowPickers
from kit.admin.forms.row_choices import only_choice
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.history.change_message import FormSet, ModelForm
from kit.admin.request_actor import request_actor
from kit.admin.screens.restorable_admin import RestorableAdmin
from kit.admin.screens.verb_admin import Stored
from kit.database.locking import lock_rows
from kit.domain import soft_deletion
from kit.domain.actor import Actor
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs


class SoftDeletionAdmin(RowPickers, RestorableAdmin[Stored]):
    """The form describes the desired state of the row, and the verbs of its table write it: see kit/editing.

    verbs: what writes, deletes and restores the rows.
    reads: permissions that the rows' visibility requires in addition to the screen's.
    preselected: relations that are filled in for a new row if they can refer to a single one.
    A row is locked while it is written, so that checks of its parts hold until it is.
    """

    verbs: ClassVar[RowVerbs]
    reads: ClassVar[tuple[str, ...]] = ()
    preselected: ClassVar[tuple[str, ...]] = ()

    form = SoftDeletionForm
    list_per_page = 25

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stored]:
        """Deleted rows too; Django has checked the screen's permission by now."""
        actor = request_actor(request)
        for permission in (f"{self.opts.app_label}.view_{self.opts.model_name}", *self.reads):
            actor = actor.with_permission(permission)
        rows: QuerySet[Stored] = self.model.objects.visible_to(actor, with_deleted=True)
        return rows.order_by(*self.get_ordering(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Stored], search_term: str
    ) -> tuple[QuerySet[Stored], bool]:
        """A picker offers what is not deleted; the list has its filter."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        is_picker = request.path == reverse("admin:autocomplete")
        return (found.filter(deleted_at=None) if is_picker else found), duplicates

    def lock(self, row: Stored) -> None:
        lock_rows(self.locked_with(row))

    def locked_with(self, row: Stored) -> QuerySet[Model]:
        """The rows to lock while the row is written."""
        rows: QuerySet[Stored] = self.model.objects.filter(pk=row.pk)
        return rows

    def get_changeform_initial_data(self, request: HttpRequest) -> Mapping[str, object]:
        chosen = {name: only_choice(self.opts.get_field(name)) for name in self.preselected}
        return {**chosen, **super().get_changeform_initial_data(request)}

    def formfield_for_dbfield(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        if db_field.name == "metadata":
            return MetadataField(required=False, help_text="Any object, as JSON.")
        return super().formfield_for_dbfield(db_field, request, **kwargs)

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

    def save_related(self, request: HttpRequest, form: ModelForm, formsets: Iterable[FormSet], change: bool) -> None:
        """The parts. Many-to-many fields were written with the row."""
        for formset in formsets:
            self.save_formset(request, form, formset, change)

    def delete(self, *, actor: Actor, row: Stored) -> None:
        self.verbs.delete(actor=actor, ids=[row.pk])

    def restore_row(self, *, actor: Actor, row: Stored) -> None:
        self.verbs.restore(actor=actor, ids=[row.pk])
