"""Screens of rows that Django writes, that are deleted softly, and that have parts to be edited with them."""

from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from commerce.kit.admin.metadata_field import MetadataField
from commerce.kit.admin.request_actor import request_actor
from commerce.kit.admin.restorable_admin import RestorableAdmin
from commerce.kit.admin.row_choices import RowChoice, RowChoices
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows


class SoftDeletionAdmin(RestorableAdmin):
    """The form's own checks stand in the place of a verb's; deletion is a verb, or that of a row without parts.

    reads: permissions that the rows' own visibility asks for beside that of the screen.
    A row is locked while it is written, so that checks of its parts hold until it is.
    """

    reads: ClassVar[tuple[str, ...]] = ()

    form = SoftDeletionForm
    list_per_page = 25

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Deleted rows too; Django has asked for the screen's permission by now."""
        actor = request_actor(request)
        for permission in (f"{self.opts.app_label}.view_{self.opts.model_name}", *self.reads):
            actor = actor.with_permission(permission)
        rows: QuerySet[Any] = self.model.objects.visible_to(actor, with_deleted=True)
        return rows.order_by(*self.get_ordering(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """A picker offers what is not deleted; the list has its filter."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        is_picker = request.path == reverse("admin:autocomplete")
        return (found.filter(deleted_at=None) if is_picker else found), duplicates

    def lock(self, row: Any) -> None:
        lock_rows(self.locked_with(row))

    def locked_with(self, row: Any) -> QuerySet[Any]:
        """The rows to lock while the row is written."""
        rows: QuerySet[Any] = self.model.objects.filter(pk=row.pk)
        return rows

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "metadata":
            return MetadataField(required=False, help_text="An object of your own, as JSON.")
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(db_field, request, **{"form_class": RowChoice, **kwargs})

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(db_field, request, **{"form_class": RowChoices, **kwargs})

    # --- Written by Django, where VerbAdmin has verbs ----------------------------------------------------------------

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        return ModelAdmin.save_form(self, request, form, change)

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        form.write_row()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        ModelAdmin.save_related(self, request, form, formsets, change)

    def delete(self, *, actor: Actor, row: Any) -> None:
        actor.require(f"{self.opts.app_label}.delete_{self.opts.model_name}")
        soft_deletion.delete(row)

    def restore_row(self, *, actor: Actor, row: Any) -> None:
        actor.require(f"{self.opts.app_label}.delete_{self.opts.model_name}")
        soft_deletion.restore(row)
