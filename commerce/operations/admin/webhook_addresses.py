"""The screens of webhook endpoints."""

from django import forms
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from commerce.operations.admin.webhook_states import StateFilter
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.forms.record_section import record_section
from kit.admin.forms.verb_form import VerbForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.messages.outbox.names import EVENT_NAMES
from kit.messages.webhooks.endpoints.adding import add
from kit.messages.webhooks.endpoints.changing import change
from kit.messages.webhooks.endpoints.deletion import delete
from kit.messages.webhooks.endpoints.disabling import disable
from kit.messages.webhooks.endpoints.enabling import enable
from kit.messages.webhooks.endpoints.rotation import OVERLAP, rotate
from kit.messages.webhooks.models import WebhookAddress

_READ_ONLY = ("address_state", "failing_since", "disabled_at", "disabled_reason", "former_secret_until")
_RECORD = ("id", "created_by", "created_at", "updated_at")


class AddressForm(VerbForm):
    """Where events go, and which."""

    events = forms.MultipleChoiceField(
        required=False,
        choices=lambda: [(name, f"{name}: {meaning}") for name, meaning in EVENT_NAMES.get().items()],
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="Without any, all events are sent.",
    )


@admin.register(WebhookAddress)
class WebhookAddressAdmin(VerbAdmin[WebhookAddress]):
    """Webhook endpoints. A secret is shown once, on the page after it was made."""

    section = Section.OPERATION
    icon = "webhook"
    nothing_yet = (
        "A webhook endpoint is the address of a program that receives events about orders, payments and stock."
    )
    menu_title, row_title = "Webhooks", "webhook endpoint"
    unreadable = frozenset({"sealed_secret", "sealed_former_secret"})
    form = AddressForm
    is_shown_once = True
    deletion_note = "Nothing more is sent to them."

    list_display = ("url", "wanted", "address_state", "failing_since", "created_at")
    list_filter = (StateFilter, DeletionFilter)
    search_fields = ("url", "=id")
    search_help_text = "URL or id"
    actions = ("enable_selected", "disable_selected", "delete_selected")
    actions_detail = ("rotate", "enable", "disable")
    readonly_fields = (*_READ_ONLY, *_RECORD)
    fieldsets = (
        (None, {"fields": ("url", "events")}),
        ("State", {"fields": _READ_ONLY}),
        record_section(*_RECORD),
    )

    @admin.display(description="Events")
    def wanted(self, row: WebhookAddress) -> str:
        return ", ".join(row.events) or "all"

    @label_column(description="State", colours={"active": "success", "failing": "warning", "disabled": "danger"})
    def address_state(self, row: WebhookAddress) -> str:
        return row.state

    # --- Verbs -------------------------------------------------------------------------------------------------------

    def write(self, *, actor: Actor, form: VerbForm, row: WebhookAddress | None) -> WebhookAddress:
        given = {name: form.cleaned_data[name] for name in ("url", "events")}
        if row is not None:
            return change(actor=actor, address_id=row.pk, **given)
        made = add(actor=actor, **given)
        made.address.sealed_secret = made.secret  # for the next page; the instance is not saved again
        return made.address

    def delete(self, *, actor: Actor, row: WebhookAddress) -> None:
        delete(actor=actor, address_id=row.pk)

    def enable_chosen(self, request: HttpRequest, row: WebhookAddress) -> None:
        """Enable one of the selected endpoints."""
        enable(actor=request_actor(request), address_id=row.pk)

    def disable_chosen(self, request: HttpRequest, row: WebhookAddress) -> None:
        """Disable one of the selected endpoints."""
        disable(actor=request_actor(request), address_id=row.pk)

    enable_selected = bulk_action(
        "enable_chosen",
        name="enable_selected",
        description="Enable selected webhook endpoints",
        question="Enable webhook endpoints?",
        participle="enabled",
        note="They receive what happens from now on. What they missed can be sent again by `webhooks resend`.",
    )
    disable_selected = bulk_action(
        "disable_chosen",
        name="disable_selected",
        description="Disable selected webhook endpoints",
        question="Disable webhook endpoints?",
        participle="disabled",
        note="Nothing more is sent to them, and their pending deliveries fail.",
    )

    # --- Buttons above one endpoint ----------------------------------------------------------------------------------

    def offers_action(self, request: HttpRequest, row: WebhookAddress, name: str) -> bool:
        """Only a disabled endpoint can be enabled, and the other way around; a deleted one offers nothing."""
        return row.deleted_at is None and name != ("enable" if row.disabled_at is None else "disable")

    enable = row_button("enable", enable_selected, description="Enable", icon="play_arrow")
    disable = row_button("disable", disable_selected, description="Disable", icon="block")

    @row_action(description="Change the secret", icon="key")
    def rotate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_object_or_404(request, object_id)
        if not is_confirmed(request):
            hours = OVERLAP.total_seconds() / 3600
            note = (
                f"For {hours:g} hours deliveries are signed with both secrets, so that the receiver has time to follow."
            )
            rows = self.get_queryset(request).filter(pk=row.pk)
            return ask(self, request, rows, action="", question="Change the secret of this endpoint?", note=note)
        with transaction.atomic():
            made = rotate(actor=request_actor(request), address_id=row.pk)
            self.log_change(request, row, "Secret changed.")
        return self.secret_page(request, made.address, made.secret)

    def has_enable_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_change_permission(request)

    has_disable_permission = has_rotate_permission = has_enable_permission

    # --- The page with the secret ------------------------------------------------------------------------------------

    def response_add(
        self, request: HttpRequest, obj: WebhookAddress, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self.secret_page(request, obj, obj.sealed_secret)

    def secret_page(self, request: HttpRequest, row: WebhookAddress, secret: str) -> HttpResponse:
        """The only page with the secret. A redirect would have to store it in a session or cookie."""
        return self.page(
            request,
            "webhooks/secret.html",
            title="The secret of a webhook endpoint",
            row=row,
            secret=secret,
            address=self.address(row.pk),
        )
