"""The screens of emails: what waits, what was sent, what failed and why."""

from collections.abc import Mapping

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from commerce.operations.admin.subject_column import SubjectColumn
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.lists.condition_filter import ConditionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from kit.messages.mails.address_limit import digests_of
from kit.messages.mails.models import Mail
from kit.messages.mails.repeating import MailIsWaiting, send_again
from kit.messages.mails.states import MailStatus
from kit.values import email_address

_OVER = Q(next_try_at=None)
_CONDITIONS = {
    MailStatus.WAITING: ~_OVER,
    MailStatus.SENT: Q(sent_at__isnull=False),
    MailStatus.FAILED: _OVER & Q(sent_at=None) & ~Q(error=""),
    MailStatus.NOT_NEEDED: _OVER & Q(sent_at=None, error=""),
}


class StatusFilter(ConditionFilter):
    """Emails of one status."""

    title = parameter_name = "status"
    labels = dict(MailStatus.choices)

    def conditions(self) -> Mapping[str, Q]:
        return {status.value: _CONDITIONS[status] for status in MailStatus}


@admin.register(Mail)
class MailAdmin(ReadOnlyAdmin[Mail]):
    """Emails, the newest first. Their texts and addresses are not stored."""

    section = Section.OPERATION
    icon = "mail"
    nothing_yet = "Emails to customers and staff appear here when the shop sends them."
    columns = (SubjectColumn(),)
    menu_title = "Emails"
    row_title = "email"

    list_display = ("kind_in_words", "about_link", "number", "recipient", "state", "created_at", "sent_at", "error")
    list_filter = (StatusFilter, "kind")
    search_fields = ("=about", "=id")
    search_help_text = "The id of what it is about, the recipient's whole address, or the email's id"
    actions_detail = ("send_again",)
    fields = (
        *("kind_in_words", "about_link", "number", "recipient", "state", "error", "attempts", "next_try_at", "sent_at"),
        *("is_for_guest", "created_at", "request_id", "id"),
    )

    @admin.display(description="Kind", ordering="kind")
    def kind_in_words(self, row: Mail) -> str:
        return row.kind.replace("_", " ").capitalize()

    @label_column(description="Status", colours={"waiting": "info", "sent": "success", "failed": "danger"})
    def state(self, row: Mail) -> str:
        return row.status

    def search(self, request: HttpRequest, queryset: QuerySet[Mail], search_term: str) -> tuple[QuerySet[Mail], bool]:
        """An address is found by its digest."""
        address = email_address.normalized(search_term)
        if email_address.fault(address) is None:
            return queryset.filter(recipient_digest__in=digests_of(address)), False
        return super().search(request, queryset, search_term)

    # --- Sending again -----------------------------------------------------------------------------------------------

    def has_send_again_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return request_actor(request).may("mails.add_mail")

    def offers_actions(self, request: HttpRequest, row: Mail) -> bool:
        """An email that waits is sent anyway."""
        return row.status != MailStatus.WAITING

    @row_action(description="Send again", icon="forward_to_inbox")
    def send_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        mail = self.get_object_or_404(request, object_id)
        if not is_confirmed(request):
            rows = self.get_queryset(request).filter(pk=mail.pk)
            note = "It goes to the present address of the order, gift card or account, and shows its present data."
            return ask(self, request, rows, action="", question="Send this email again?", note=note)
        try:
            send_again(actor=request_actor(request), mail=mail)
        except MailIsWaiting as refusal:
            self.message_user(request, refusal.message, "ERROR")
        else:
            self.log_change(request, mail, "Sent again.")
            self.message_user(request, "The email will be sent again.")
        return redirect("admin:mails_mail_change", quote(mail.pk))
