"""The screens of staff users, roles, second factors, and the history of the admin site."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, Permission
from django.db.models import ManyToManyField, Model
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.forms import AdminPasswordChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.history.change_message import ModelForm
from kit.admin.screens.deletion import delete_chosen, delete_selected
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from staff.delegation import grantable_groups, may_manage, permissions_of
from staff.device_admin import DeviceAdmin
from staff.invitation_admin import InvitationAdmin
from staff.invitations import end_invitations_of
from staff.models import Invitation, User
from staff.permission_names import name_of
from staff.request_user import staff_user

# The admin site calls groups roles. The model and the codenames of its permissions keep Django's name.
Group._meta.verbose_name, Group._meta.verbose_name_plural = "role", "roles"
# Pickers, pages to read and the history all show a permission by its text.
Permission.__str__ = name_of  # type: ignore[assignment, method-assign]

admin.site.unregister([Group, TOTPDevice])
admin.site.register(TOTPDevice, DeviceAdmin)
admin.site.register(Invitation, InvitationAdmin)


class NewUserForm(UserCreationForm):  # type: ignore[misc]
    """A new user must have a password."""

    usable_password = None


class UserForm(ModelForm):
    """Says what deactivating a user ends. Why: docs/decisions/security.md#a-deleted-user-leaves-no-key."""

    class Meta:
        help_texts = {
            "is_active": "Without it, sign-in, sessions and secret keys stop, and work again once it is back. "
            "Revoke the keys that must not.",
        }


class RoleFilter(admin.RelatedFieldListFilter):
    """Staff by role."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = "role"


@admin.register(User)
class UserAdmin(DjangoUserAdmin, BaseAdmin[User]):  # type: ignore[type-arg, misc]
    """Staff users are deactivated, not deleted: keys and the history refer to them."""

    section = Section.SETTINGS
    daily = "change"
    icon = "person"
    nothing_yet = "Colleagues appear here once they have accepted an invitation."
    made_on = "staff.invitation"
    menu_title, row_title = "Staff", "member of staff"
    unreadable = frozenset({"password", "stamp"})
    form = UserForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm

    list_display = ("email", "first_name", "last_name", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser", ("groups", RoleFilter))
    search_fields = ("email", "first_name", "last_name", "=id")
    ordering = ("email",)
    actions_detail = ("set_password",)
    filter_horizontal = ("user_permissions",)
    readonly_fields = ("id", "last_login", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("email", "first_name", "last_name", "is_active")}),
        ("Permissions", {"fields": ("is_superuser", "groups", "user_permissions")}),
        ("Record", {"fields": ("id", "last_login", "created_at", "updated_at")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "first_name", "last_name", "password1", "password2")}),)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or may_manage(staff_user(request), obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """A user who may no longer invite staff has no open invitations. A deleted user who is active is back."""
        if obj.is_active:
            obj.deleted_at = None
        super().save_model(request, obj, form, change)
        if change and not (obj.is_active and obj.is_superuser):
            end_invitations_of(obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Only superusers can make superusers, and users cannot lock themselves out."""
        user, kept = staff_user(request), tuple(super().get_readonly_fields(request, obj))
        if obj is not None and obj.pk == user.pk:
            return (*kept, "is_active", "is_superuser")
        return kept if user.is_superuser else (*kept, "is_superuser")

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Model, Model], request: HttpRequest, **kwargs: object
    ) -> ModelMultipleChoiceField[Model] | None:
        user = staff_user(request)
        if db_field.name == "user_permissions":
            kwargs["queryset"] = permissions_of(user).select_related("content_type")
        else:
            kwargs |= {
                "queryset": grantable_groups(user),
                "widget": UnfoldAdminCheckboxSelectMultipleWidget,
                "label": "Roles",
                "help_text": "Each is a set of permissions.",
            }
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    @row_action(description="Set password", icon="password")
    def set_password(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(reverse("admin:auth_user_password_change", args=[object_id]))

    def has_set_password_permission(self, request: HttpRequest, object_id: str) -> bool:
        return self.has_change_permission(request, self.get_object(request, unquote(object_id)))


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, BaseAdmin[Group]):  # type: ignore[misc]
    """Roles: what Django calls groups of permissions."""

    section = Section.SETTINGS
    icon = "group"
    nothing_yet = "A role says what its members may do. Operators create the first ones by setup_roles."
    actions = ("delete_selected",)
    delete_selected, delete_chosen = delete_selected, delete_chosen

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return super().has_change_permission(request, obj) and _is_within(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _is_within(request, obj)

    def formfield_for_manytomany(  # type: ignore[override]
        self, db_field: ManyToManyField[Model, Model], request: HttpRequest, **kwargs: object
    ) -> ModelMultipleChoiceField[Model] | None:
        kwargs["queryset"] = permissions_of(staff_user(request))
        return super().formfield_for_manytomany(db_field, request, **kwargs)


@admin.register(LogEntry)
class HistoryAdmin(ReadOnlyAdmin[LogEntry]):
    """Who did what on the admin site."""

    section = Section.OPERATION
    icon = "history"
    nothing_yet = "What staff add, change and delete on this site appears here."
    menu_title = "History"

    list_display = ("action_time", "user", "kind", "what", "happened")
    list_display_links = None
    list_filter = ("action_flag", "content_type")
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "=object_id", "user__email")
    search_help_text = "Name, id, or the user's email"
    ordering = ("-action_time", "-id")

    @admin.display(description="Type")
    def kind(self, row: LogEntry) -> str:
        return row.content_type.name if row.content_type else ""

    @admin.display(description="Object")
    def what(self, row: LogEntry) -> str:
        return row.object_repr

    @admin.display(description="Change")
    def happened(self, row: LogEntry) -> str:
        return row.get_change_message() or row.get_action_flag_display()


def _is_within(request: HttpRequest, group: Group | None) -> bool:
    return group is None or grantable_groups(staff_user(request)).filter(pk=group.pk).exists()
