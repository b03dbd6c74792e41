"""Screens that write through the app's verbs, so that staff, APIs and commands follow the same rules.

A verb's refusal (DomainError) is shown above the form or as a message, and nothing has changed: Django wraps each of
these views in one transaction, which the refusal rolls back together with the entry of the history.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kit.admin.forms.verb_form import VerbForm
from kit.admin.history.change_message import FormSet, ModelForm
from kit.admin.history.conflicts import reason_of
from kit.admin.request_actor import request_actor
from kit.admin.screens.bulk_deletion import BulkDeletionAdmin
from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.errors import DomainError

Stored = TypeVar("Stored", bound=BaseModel)
_REFUSAL = "commerce.refusal"


class VerbAdmin(BulkDeletionAdmin[Stored]):
    """Subclasses call their verbs in `write` and `delete`; their models have soft deletion and `visible_to`."""

    form = VerbForm
    delete_confirmation_template = "admin/confirmation.html"

    def write(self, *, actor: Actor, form: Any, row: Stored | None) -> Model:
        """Call the verbs for the valid form; `row` is None for a new one. Returns the saved row."""
        raise NotImplementedError

    def delete(self, *, actor: Actor, row: Stored) -> None:
        """Call the verb."""
        raise NotImplementedError

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stored]:
        """Deleted rows too: DeletionFilter keeps them from lists, and their histories stay readable."""
        rows: QuerySet[Stored] = self.model.objects.visible_to(request_actor(request), with_deleted=True)
        return rows.order_by(*self.get_ordering(request))

    def has_change_permission(self, request: HttpRequest, obj: Stored | None = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or obj.deleted_at is None)

    def has_delete_permission(self, request: HttpRequest, obj: Stored | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or obj.deleted_at is None)

    # --- One row ---------------------------------------------------------------------------------------------------

    def get_form(self, request: HttpRequest, obj: Stored | None = None, change: bool = False, **kwargs: object) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.refusal = refusal_of(request)
        return form

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
            request.META[_REFUSAL] = refusal
            return serve()

    def save_form(self, request: HttpRequest, form: ModelForm, change: bool) -> Model:
        """The row as the verbs leave it, where Django would take an unsaved instance."""
        return self.write(
            actor=request_actor(request), form=form, row=cast("Stored", form.instance) if change else None
        )

    def save_model(self, request: HttpRequest, obj: Stored, form: ModelForm, change: bool) -> None:
        """Nothing remains to be saved."""

    def save_related(self, request: HttpRequest, form: ModelForm, formsets: Iterable[FormSet], change: bool) -> None:
        """Nothing remains to be saved."""

    # --- Deletion --------------------------------------------------------------------------------------------------

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

    def delete_chosen(self, request: HttpRequest, row: Stored) -> None:
        """Delete by the verb, which gives the reason if it refuses."""
        self.delete_model(request, row)

    def get_deleted_objects(
        self, objs: Iterable[Stored], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Only the rows: soft deletion does not cascade, and the verb reports what forbids it."""
        return [str(row) for row in objs], {}, set(), []


def refusal_of(request: HttpRequest) -> DomainError | None:
    """Why a verb has refused what this request submits, while its form is served again."""
    refusal: DomainError | None = request.META.get(_REFUSAL)
    return refusal
