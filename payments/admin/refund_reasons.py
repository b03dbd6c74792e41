"""The admin screens of refund reasons."""

from django.contrib import admin

from kit.admin.forms.record_section import record_section
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section
from payments.models import RefundReason
from payments.reasons.refund_reasons import VERBS


class RefundReasonForm(SoftDeletionForm):
    """Code and label of a reason."""

    class Meta:
        help_texts = {"code": "For example: damaged.", "label": "Shown to staff in lists."}


@admin.register(RefundReason)
class RefundReasonAdmin(SoftDeletionAdmin[RefundReason]):
    """Reasons for refunds."""

    section = Section.PAYMENTS
    icon = "contact_support"
    nothing_yet = "A refund reason says why money was given back, such as Damaged. You choose one with each refund."
    verbs = VERBS
    menu_rank = 3
    form = RefundReasonForm
    deletion_note = "It can no longer be chosen. It can be restored."

    list_display = ("label", "code", "description", "updated_at")
    list_filter = (DeletionFilter,)
    search_fields = ("label", "code", "=id")
    search_help_text = "Label, code or id"
    ordering = ("label",)
    fieldsets = (
        (None, {"fields": ("label", "code", "description")}),
        record_section("metadata", *SoftDeletionAdmin.readonly_fields),
    )
