"""The screens of second factors: users enrol their own authenticator app and confirm it with a code."""

from base64 import b32encode, b64encode
from io import BytesIO
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.qr import write_qrcode_image
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.screens.deletion import delete_chosen, delete_selected
from kit.admin.sections import Section
from staff.delegation import may_manage
from staff.request_user import staff_user


class CodeForm(forms.Form):
    """The current code of the app."""

    code = forms.CharField(
        max_length=8,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, device: TOTPDevice, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.device = device

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"].replace(" ", "")
        if not self.device.verify_token(code):
            raise forms.ValidationError("This is not the current code, or it was entered too soon after a wrong one.")
        return code


class DeviceAdmin(BaseAdmin[TOTPDevice]):
    """Users enrol devices only for themselves. Only the confirmation page shows the secret."""

    section = Section.SETTINGS
    icon = "phonelink_lock"
    nothing_yet = "A second factor is an authenticator app of yours: signing in then asks for its code, too."
    menu_title, row_title = "Second factors", "second factor"
    unreadable = frozenset({"key"})

    list_display = ("name", "user", "confirmed", "created_at", "last_used_at")
    list_filter = ("confirmed",)
    search_fields = ("name", "user__email")
    ordering = ("user__email", "name", "pk")
    actions = ("delete_selected",)
    delete_selected, delete_chosen = delete_selected, delete_chosen
    actions_detail = ("confirm",)
    fields = ("user", "name", "confirmed", "created_at", "last_used_at")
    add_fieldsets = ((None, {"fields": ("name",), "description": "An authenticator app on a device of your own."}),)

    def has_change_permission(self, request: HttpRequest, obj: TOTPDevice | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: TOTPDevice | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (
            obj is None or may_manage(staff_user(request), obj.user)
        )

    def save_model(self, request: HttpRequest, obj: TOTPDevice, form: forms.ModelForm[Model], change: bool) -> None:
        obj.user, obj.confirmed = request.user, False
        super().save_model(request, obj, form, change)

    def response_add(self, request: HttpRequest, obj: TOTPDevice, post_url_continue: str | None = None) -> HttpResponse:
        return redirect(reverse("admin:otp_totp_totpdevice_confirm", args=[obj.pk]))

    @row_action(description="Confirm", icon="verified_user")
    def confirm(self, request: HttpRequest, object_id: str) -> HttpResponse:
        device = self._own_unconfirmed(request, object_id)
        form = CodeForm(request.POST or None, device=device)
        if form.is_valid():
            device.confirmed = True
            device.save()
            self.log_change(request, device, "Confirmed.")
            self.message_user(request, "From now on, signing in requires a code from this device.", messages.SUCCESS)
            return redirect("admin:index")
        return self.page(
            request,
            "staff/confirm_device.html",
            title=f"Confirm {device.name}",
            form=form,
            qr_code=_qr_code(device),
            secret=b32encode(device.bin_key).decode(),
        )

    def has_confirm_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return bool(self.has_add_permission(request))

    def offers_actions(self, request: HttpRequest, row: TOTPDevice) -> bool:
        """Only the owner can confirm a device, and only once."""
        return bool(row.user == request.user and not row.confirmed)

    def _own_unconfirmed(self, request: HttpRequest, object_id: str) -> TOTPDevice:
        device: TOTPDevice = self.get_object_or_404(request, object_id)
        if not self.offers_actions(request, device):
            raise Http404
        return device


def _qr_code(device: TOTPDevice) -> str:
    """The secret as an inline image, which no URL serves."""
    image = BytesIO()
    write_qrcode_image(device.config_url, image)
    return f"data:image/svg+xml;base64,{b64encode(image.getvalue()).decode()}"
