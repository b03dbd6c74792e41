"""The screens of invitations, for superusers only."""

from typing import Any

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.verb_form import VerbForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.screens.verb_admin import VerbAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values import email_address
from kit.values.timestamps import now
from staff.invitations import invite, withdraw
from staff.models import Invitation
from staff.request_user import staff_user


class InvitationForm(VerbForm):
    """Who is invited, and as what."""

    groups = RowChoices(
        Group.objects.order_by("name"),
        to_field_name="name",  # SQLite fails on a number that is too large for a key
        label="Roles",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="Each is a set of permissions.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "groups" in self.fields and not Group.objects.exists():
            self.fields[
                "groups"
            ].help_text = "There are none yet. An operator can create the usual ones: `setup_roles`."

    def clean_email(self) -> str:
        try:
            return email_address.checked(self.cleaned_data["email"])
        except InvalidData as refusal:
            raise ValidationError(refusal.message) from refusal


class InvitationAdmin(VerbAdmin[Invitation]):
    """Invitations, newest first. Another invitation of the same email replaces the first."""

    section = Section.SETTINGS
    daily = "add"
    icon = "person_add"
    nothing_yet = "An invitation lets a colleague choose a password and sign in."
    unreadable = frozenset({"token_digest"})
    form = InvitationForm
    forbids = frozenset({"change"})
    deletion_note = "The link in the email no longer works."

    list_display = ("email", "state", "invited_by", "created_at", "expires_at")
    list_filter = (DeletionFilter,)
    list_select_related = ("invited_by", "user")
    search_fields = ("email", "invited_by__email")
    search_help_text = "Email of the invited person or of the inviter"
    readonly_fields = ("state", "invited_by", "user", "created_at", "expires_at", "deleted_at")
    fieldsets = ((None, {"fields": ("email", "groups", *readonly_fields)}),)
    add_fieldsets = (
        (
            None,
            {
                "fields": ("email", "groups"),
                "description": "They get an email with a link to choose a password. It works once, for 72 hours.",
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        return Invitation.objects.order_by(*self.get_ordering(request)).select_related("invited_by", "user")

    @label_column(description="Status", colours={"Accepted": "success", "Waiting": "info", "Expired": "warning"})
    def state(self, row: Invitation) -> str:
        inviter = row.invited_by
        if row.user is not None:
            return "Accepted"
        if row.deleted_at is not None or not (inviter.is_active and inviter.is_superuser):
            return "Ended"
        return "Expired" if row.expires_at is not None and row.expires_at <= now() else "Waiting"

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return staff_user(request).is_superuser

    def has_add_permission(self, request: HttpRequest) -> bool:
        return staff_user(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Invitation | None = None) -> bool:
        is_over = obj is not None and (obj.deleted_at is not None or obj.user_id is not None)
        return staff_user(request).is_superuser and not is_over

    def write(self, *, actor: Actor, form: InvitationForm, row: Invitation | None) -> Invitation:
        given = form.cleaned_data
        return invite(actor=actor, email=given["email"], groups=given["groups"]).invitation

    def delete(self, *, actor: Actor, row: Invitation) -> None:
        withdraw(actor=actor, invitation_id=row.pk)
