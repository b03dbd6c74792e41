"""The admin screens of gift cards."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.admin.utils import model_ngettext
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from customers.models import Customer
from giftcards.admin.batches import batch_of, issue_batch
from giftcards.admin.card_columns import CardColumns, ExpiryFilter
from giftcards.admin.card_origin import CardOrigin
from giftcards.admin.issue_form import IssueForm
from giftcards.cards.cancellation import cancel
from giftcards.cards.mailing import send_again
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.spreadsheet_buttons import spreadsheet_buttons
from kit.admin.actions.verb_actions import Outcome, perform
from kit.admin.forms.reason_field import ReasonField
from kit.admin.forms.record_section import record_section
from kit.admin.lists.amounts import shown
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor
from shop.admin.currency_choices import CurrencyFilter

_TERMS = (("value", "currency"), "count", "customer", "notify", "expires_at", "note", "ticket", "confirmed")


class CancelForm(forms.Form):
    """The reason for a cancellation."""

    reason = ReasonField(help_text="Stored in the history.")


@admin.register(GiftCard)
class GiftCardAdmin(VerbAdmin[GiftCard]):
    """Gift cards. Their codes are shown once, on the page after they were issued."""

    section = Section.CREDIT
    daily = "view"
    icon = "redeem"
    nothing_yet = "Gift cards appear here once you issue them, or customers buy them."
    unreadable = frozenset({"code"})
    form = IssueForm
    list_buttons = spreadsheet_buttons("gift_cards")
    is_shown_once = True
    forbids = frozenset({"change", "delete"})
    columns = (CardColumns(), CardOrigin())

    list_display = ("masked_code", "worth", "state", "expiry", "customer", "expires_at", "created_at")
    list_filter = (
        "status",
        ExpiryFilter,
        ("currency", CurrencyFilter),
        ("customer", SearchedFilter),
    )
    list_filter_submit = True
    list_select_related = ("customer",)
    search_fields = ("=code", "=id", "=customer__email", "=reference", "=reference_id")
    search_help_text = "Whole code, id, reference or email of the customer"
    actions = ("mail_selected", "cancel_selected")
    actions_detail = ("mail", "cancel")
    autocomplete_fields = ("customer",)
    readonly_fields = ("masked_code", "worth", "state", "expiry", "origin")
    fieldsets = (
        (None, {"fields": ("masked_code", "worth", "state", "expires_at", "expiry", "customer", "origin", "note")}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )
    add_fieldsets = ((None, {"fields": _TERMS}),)

    # --- Who may what ------------------------------------------------------------------------------------------------

    def has_view_permission(self, request: HttpRequest, obj: GiftCard | None = None) -> bool:
        """The same rule as `visible_to`; Django would also let users with a change permission view cards."""
        return request_actor(request).may("giftcards.view_giftcard")

    def has_cancel_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_view_permission(request) and request_actor(request).may("giftcards.change_giftcard")

    def has_mail_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_view_permission(request) and request_actor(request).may("mails.add_mail")

    # --- Issuing -----------------------------------------------------------------------------------------------------

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Customers that the user may see, since the form names them."""
        if db_field.name == "customer":
            kwargs["queryset"] = Customer.objects.visible_to(request_actor(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def write(self, *, actor: Actor, form: IssueForm, row: GiftCard | None) -> GiftCard:
        return issue_batch(actor=actor, form=form)

    def log_addition(self, request: HttpRequest, obj: GiftCard, message: object) -> None:
        """Log each card of the batch, once."""
        known = LogEntry.objects.filter(object_id=obj.pk, action_flag=ADDITION)
        if not known.exists():
            message = f"Issued: {shown(obj.value, obj.currency_id)}."
            LogEntry.objects.log_actions(str(request.user.pk), batch_of(obj), ADDITION, message)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Mapping[str, object] | None = None
    ) -> HttpResponse:
        """With one button, since the response shows the codes. What would be issued is asked on a page of its own."""
        if request.method == "POST" and self.has_add_permission(request):
            form = self.get_form(request)(request.POST)
            if form.is_valid() and not form.is_confirmed():
                nothing, button = GiftCard.objects.none(), "Issue"
                return ask(self, request, nothing, action="", question="Issue gift cards", form=form, button=button)
        context = {**(extra_context or {}), "title": "Issue gift cards"}
        answer: HttpResponse = super().add_view(request, form_url, context)
        return answer

    def response_add(self, request: HttpRequest, obj: GiftCard, post_url_continue: str | None = None) -> HttpResponse:
        """The only page with the codes. It is no redirect, so that no session or cookie stores them."""
        cards = list(batch_of(obj))
        return self.page(
            request,
            "giftcards/issued.html",
            title=f"{len(cards)} {model_ngettext(self.opts, len(cards))} issued",
            cards=cards,
            worth=shown(obj.value, obj.currency_id),
            address=reverse("admin:giftcards_giftcard_changelist"),
        )

    # --- Canceling ---------------------------------------------------------------------------------------------------

    def offers_actions(self, request: HttpRequest, row: GiftCard) -> bool:
        """Pending cards can be mailed and canceled."""
        return row.status == CardStatus.PENDING

    @admin.action(description="Cancel selected gift cards", permissions=["cancel"])
    def cancel_selected(self, request: HttpRequest, queryset: QuerySet[GiftCard]) -> HttpResponse | None:
        form = CancelForm(request.POST if is_confirmed(request) else None)
        if not form.is_valid():
            question, note = "Cancel gift cards?", "They can no longer be redeemed. This cannot be undone."
            return ask(self, request, queryset, action="cancel_selected", question=question, note=note, form=form)
        outcome = Outcome("canceled", reason=form.cleaned_data["reason"])
        return perform(self, request, queryset, self.cancel_chosen, outcome)

    def cancel_chosen(self, request: HttpRequest, row: GiftCard) -> None:
        """Cancel one of the selected cards."""
        cancel(actor=request_actor(request), card_id=row.pk)

    cancel = row_button("cancel", cancel_selected, description="Cancel", icon="block")

    # --- Sending the email again -------------------------------------------------------------------------------------

    def mail_chosen(self, request: HttpRequest, row: GiftCard) -> None:
        """Send the email of one of the selected cards again."""
        send_again(actor=request_actor(request), card_id=row.pk)

    mail_selected = bulk_action(
        "mail_chosen",
        name="mail_selected",
        description="Resend emails of selected gift cards",
        question="Resend these emails?",
        participle="mailed again",
        note="Each goes to the recipient that the buyer has named, or to the card's customer, with the code.",
        permission="mail",
    )
    mail = row_button("mail", mail_selected, description="Resend email", icon="forward_to_inbox")
