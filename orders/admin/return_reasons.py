"""The screens of return reasons."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet

from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section
from kit.errors import InvalidData
from orders.models import ReturnReason
from orders.returns.return_reasons.editing import VERBS
from orders.returns.return_reasons.tree import is_own_ancestor


class ReturnReasonForm(SoftDeletionForm):
    """Value, label and parent of a reason."""

    class Meta:
        help_texts = {
            "value": "For storefronts, for example: wrong_size.",
            "label": "Shown to customers.",
            "parent_return_reason": "Customers can choose only reasons that have none below them.",
        }

    def clean(self) -> dict[str, Any]:
        """The parent is not below the reason."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        parent = cleaned.get("parent_return_reason")
        if parent is not None:
            parents = dict(ReturnReason.objects.not_deleted().values_list("pk", "parent_return_reason_id"))
            parents[self.instance.pk] = parent.pk
            if is_own_ancestor(self.instance.pk, parents):
                self.add_refusal("parent_return_reason", InvalidData("This reason is the same, or below it."))
        return cleaned


@admin.register(ReturnReason)
class ReturnReasonAdmin(SoftDeletionAdmin[ReturnReason]):
    """Reasons for returns."""

    section = Section.ORDERS
    icon = "assignment_return"
    nothing_yet = "A return reason says why goods come back, such as Too small. Customers choose one."
    verbs = VERBS
    menu_rank = 2
    form = ReturnReasonForm
    deletion_note = "It can no longer be chosen. It can be restored."

    list_display = ("label", "value", "parent_return_reason", "description", "updated_at")
    list_filter = (DeletionFilter,)
    list_select_related = ("parent_return_reason",)
    search_fields = ("label", "value", "=id")
    search_help_text = "Label, value or id"
    ordering = ("label",)
    fieldsets = (
        (None, {"fields": ("label", "value", "description", "parent_return_reason")}),
        record_section("metadata", *SoftDeletionAdmin.readonly_fields),
    )

    def locked_with(self, row: ReturnReason) -> QuerySet[Model]:
        """All reasons, in the order in which the verb locks them."""
        reasons: QuerySet[Model] = ReturnReason.objects.not_deleted()
        return reasons
