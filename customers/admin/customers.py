"""The screens of customers."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.options import InlineModelAdmin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import Media
from django.http import HttpRequest, HttpResponse
from unfold.widgets import UnfoldAdminTextareaWidget

from customers.admin.addresses import AddressInline
from customers.admin.line_form import ONE_LINE, LineForm
from customers.admin.tax_exemption import TaxExemptionForm, tax_section
from customers.admin.timeline import customer_timeline
from customers.customer_editing import VERBS
from customers.models import Customer
from customers.password_mail import send_password_mail
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.actions.regrouping import regroup_selected
from kit.admin.actions.spreadsheet_buttons import spreadsheet_buttons
from kit.admin.buttons import Button, enter_buttons
from kit.admin.forms.record_section import record_section
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.request_actor import request_actor
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section
from kit.errors import InvalidData
from kit.values import email_address

LONGEST_NOTE = 5000
NAMES = (("first_name", "last_name"), ("company_name", "phone"))


class CustomerForm(TaxExemptionForm, LineForm):
    """Requires the email of a guest. That of a customer with an account cannot be changed."""

    note = forms.CharField(
        required=False,
        max_length=LONGEST_NOTE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="For staff; customers never see it.",
    )

    multiline = frozenset({"note"})

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "email" in self.fields:
            self.fields["email"].required = True

    def clean_email(self) -> str:
        try:
            return email_address.checked(self.cleaned_data["email"])
        except InvalidData as refusal:
            raise ValidationError(refusal.message) from refusal


@admin.register(Customer)
class CustomerAdmin(SoftDeletionAdmin[Customer]):
    """Customers with their addresses, and the tables, buttons and timeline that higher apps add.

    Customers added here are guests: only they can register an account.
    """

    section = Section.CUSTOMERS
    daily = "view"
    icon = "person"
    nothing_yet = "Customers appear here once they open an account at a storefront. You can add guests, too."
    is_in_palette = True
    verbs = VERBS
    form = CustomerForm
    list_buttons = spreadsheet_buttons("customers")
    inlines = (AddressInline,)
    entered_inlines: tuple[type[InlineModelAdmin[Model, Customer]], ...] = ()
    formfield_overrides = ONE_LINE
    change_form_after_template = "customers/timeline.html"
    deletion_note = (
        "They are signed out immediately, and their email address is free for a new account. This cannot be undone."
    )

    list_display = ("email", "first_name", "last_name", "company_name", "has_account", "created_at")
    list_filter = ("has_account", ("groups", SearchedFilter), DeletionFilter)
    list_filter_submit = True
    search_fields = ("email", "first_name", "last_name", "company_name", "phone", "=id")
    search_help_text = "Email, name, company, phone or id"
    actions = ("organise_selected", "send_password_mails", "delete_selected")
    actions_detail: tuple[str, ...] = ("send_password_mail",)
    autocomplete_fields = ("groups",)
    readonly_fields = ("has_account", "id", "created_at", "updated_at", "deleted_at")
    fieldsets = (
        (None, {"fields": ("email", "has_account", *NAMES, "groups", "note")}),
        tax_section("tax_number"),
        record_section("metadata", "id", "created_at", "updated_at", "deleted_at"),
    )

    @classmethod
    def enter_inline(cls, inline: type[InlineModelAdmin[Model, Customer]]) -> None:
        """Show a table of a higher app's rows below the form of each customer, those of the highest app first."""
        cls.entered_inlines = (inline, *cls.entered_inlines)

    @classmethod
    def enter_button(cls, button: Button) -> None:
        """Show a button of a higher app above the form of each customer."""
        cls.buttons = (*cls.buttons, button)
        enter_buttons(cls)

    def get_inlines(
        self, request: HttpRequest, obj: Customer | None
    ) -> tuple[type[InlineModelAdmin[Model, Customer]], ...]:
        return self.inlines if obj is None else (*self.inlines, *self.entered_inlines)

    @property
    def media(self) -> Media:
        own: Media = super().media + Media(css={"all": ["commerce/record_page.css"]})
        return own

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Customer | None = None, **options: Any
    ) -> Any:
        """Add the timeline of a stored customer."""
        shown = context if obj is None else {**context, "timeline": customer_timeline(request, obj.pk)}
        return super().render_change_form(request, shown, *args, obj=obj, **options)

    def get_readonly_fields(self, request: HttpRequest, obj: Customer | None = None) -> tuple[str, ...]:
        """The email of a customer with an account is their login."""
        kept: tuple[str, ...] = super().get_readonly_fields(request, obj)
        return ("email", *kept) if obj is not None and obj.has_account else kept

    def offers_actions(self, request: HttpRequest, row: Customer) -> bool:
        """Only customers with an account have a password."""
        return row.has_account and row.deleted_at is None

    def has_send_password_mail_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_change_permission(request)

    def mail(self, request: HttpRequest, row: Customer) -> None:
        """Send the email to one of the selected customers."""
        send_password_mail(actor=request_actor(request), customer_id=row.pk)

    @admin.action(description="Organise selected customers", permissions=["change"])
    def organise_selected(self, request: HttpRequest, queryset: QuerySet[Customer]) -> HttpResponse | None:
        """Put them into groups, or take them out."""
        return regroup_selected(self, request, queryset, action="organise_selected", relations=("groups",))

    send_password_mails = bulk_action(
        "mail",
        name="send_password_mails",
        description="Send password reset emails",
        question="Send these emails?",
        participle="mailed",
        note="Each customer gets a link to set a new password, valid once. The current password works until then.",
    )
    send_password_mail = row_button(
        "send_password_mail", send_password_mails, description="Send password reset email", icon="mail"
    )
