"""The screens of API keys."""

from typing import Any

from django.contrib import admin
from django.db.models import Field, QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from apikeys import channel_scope, deletion, issuance, renaming, revocation
from apikeys.admin.key_form import KeyForm
from apikeys.admin.key_states import StateFilter
from apikeys.admin.permission_choices import described
from apikeys.models import ApiKey
from apikeys.states import KeyType
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.forms.verb_form import VerbForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor
from staff.request_user import staff_user

READ_ONLY = (
    *("type", "token", "redacted", "permissions", "allowed", "key_state", "last_used_at"),
    *("id", "created_by", "created_at", "updated_at", "revoked_by", "revoked_at"),
)


@admin.register(ApiKey)
class ApiKeyAdmin(VerbAdmin[ApiKey]):
    """API keys. A secret key's token is shown once, on the page after its creation."""

    section = Section.SETTINGS
    icon = "key"
    nothing_yet = "A storefront needs a publishable key, and another program a secret key."
    unreadable = frozenset({"token", "digest"})
    form = KeyForm
    is_shown_once = True
    deletion_note = "Only revoked keys can be deleted."

    list_display = ("title", "type", "redacted", "key_state", "channels", "created_by", "last_used_at", "revoked_at")
    list_filter = ("type", StateFilter, DeletionFilter)
    list_select_related = ("created_by",)
    search_fields = ("title", "redacted", "=id")
    search_help_text = "Title, masked token or id"
    actions = ("revoke_selected", "delete_selected")
    actions_detail = ("revoke",)
    exclude = ("type", "permissions")
    add_fieldsets = ((None, {"fields": ("title", "type", "permissions", "sales_channels")}),)

    @admin.display(description="Sales channels")
    def channels(self, row: ApiKey) -> str:
        if row.type == KeyType.SECRET:
            return ""
        return ", ".join(channel.name for channel in row.sales_channels.all()) or "the default one"

    @admin.display(description="Permissions")
    def allowed(self, row: ApiKey) -> str:
        """In words."""
        return "all that its creator has" if row.permissions is None else described(row.permissions)

    @label_column(description="State", colours={"active": "success", "revoked": "danger"})
    def key_state(self, row: ApiKey) -> str:
        return row.state

    # --- Verbs -----------------------------------------------------------------------------------------------------

    def write(self, *, actor: Actor, form: VerbForm, row: ApiKey | None) -> ApiKey:
        return self._issue(actor, form.cleaned_data) if row is None else self._change(actor, form, row)

    @staticmethod
    def _issue(actor: Actor, given: dict[str, Any]) -> ApiKey:
        chosen = given["permissions"] or None
        issued = issuance.issue(actor=actor, title=given["title"], type=given["type"], permissions=chosen)
        if given["sales_channels"]:
            channels = [channel.pk for channel in given["sales_channels"]]
            channel_scope.update_channels(actor=actor, key_id=issued.key.pk, add=channels)
        issued.key.token = issued.token  # for the next page; the instance is not saved again
        return issued.key

    @staticmethod
    def _change(actor: Actor, form: VerbForm, row: ApiKey) -> ApiKey:
        changed = row
        if "title" in form.changed_data:
            changed = renaming.rename(actor=actor, key_id=row.pk, title=form.cleaned_data["title"])
        if "sales_channels" in form.changed_data:
            before = {channel.pk for channel in form.initial["sales_channels"]}
            after = {channel.pk for channel in form.cleaned_data["sales_channels"]}
            changed = channel_scope.update_channels(
                actor=actor, key_id=row.pk, add=after - before, remove=before - after
            )
        return changed

    def delete(self, *, actor: Actor, row: ApiKey) -> None:
        deletion.delete(actor=actor, key_id=row.pk)

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """Only revoked keys can be deleted, as the verb requires."""
        return super().has_delete_permission(request, obj) and (obj is None or obj.state == "revoked")

    def has_revoke_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_change_permission(request)

    def revoke_chosen(self, request: HttpRequest, row: ApiKey) -> None:
        """Revoke one of the selected keys."""
        revocation.revoke(actor=request_actor(request), key_id=row.pk)

    revoke_selected = bulk_action(
        "revoke_chosen",
        name="revoke_selected",
        description="Revoke selected API keys",
        question="Revoke API keys?",
        participle="revoked",
        note="Programs that use these keys are locked out immediately. This cannot be undone.",
    )
    revoke = row_button("revoke", revoke_selected, description="Revoke", icon="block")

    # --- Pages -----------------------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        return super().get_queryset(request).prefetch_related("sales_channels")

    def get_form(self, request: HttpRequest, obj: ApiKey | None = None, change: bool = False, **kwargs: object) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.creator = staff_user(request)
        return form

    def get_fieldsets(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        is_publishable = obj.type == KeyType.PUBLISHABLE
        own = ("token",) if is_publishable else ("redacted", "allowed")
        return (
            (None, {"fields": ("title", "sales_channels") if is_publishable else ("title",)}),
            ("Key", {"fields": ("type", *own, "key_state", "last_used_at")}),
            ("Record", {"fields": ("id", "created_by", "created_at", "updated_at", "revoked_by", "revoked_at")}),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        """Everything except title and channels."""
        return () if obj is None else READ_ONLY

    def offers_actions(self, request: HttpRequest, row: ApiKey) -> bool:
        """Only an active key can be revoked."""
        return row.state == "active"

    def formfield_for_manytomany(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        kwargs["widget"] = UnfoldAdminCheckboxSelectMultipleWidget
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        """Renders the only page with the token. A redirect would have to store it in a session or cookie."""
        return self.page(
            request,
            "apikeys/issued.html",
            title="API key created",
            key=obj,
            address=self.address(obj.pk),
        )
