"""The admin site's login form, with the throttles and one-time passwords of the API's login.

settings.UNFOLD["LOGIN"]["form"] refers to it.
"""

from django import forms
from django.core.exceptions import ValidationError
from django.views.decorators.debug import sensitive_variables
from unfold.forms import AuthenticationForm
from unfold.widgets import BASE_INPUT_CLASSES

from auth.signing_in.sign_in import sign_in
from kit.errors import DomainError
from kit.rest.requests.client_address import client_address
from staff.models import User


class StaffLoginForm(AuthenticationForm):  # type: ignore[misc]
    """Email, password and, for users with a second factor, a one-time password."""

    otp = forms.CharField(
        label="One-time password",
        help_text="If your account has a second factor.",
        required=False,
        max_length=255,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "inputmode": "numeric",
                "class": " ".join(BASE_INPUT_CLASSES),
            }
        ),
    )

    @sensitive_variables()
    def clean(self) -> dict[str, str]:
        """Sign in by the shared verb, whose errors become the form's."""
        given: dict[str, str] = self.cleaned_data
        if "username" in given and "password" in given and "otp" in given:
            try:
                account = sign_in(
                    actor_type="user",
                    email=given["username"],
                    password=given["password"],
                    otp=given["otp"],
                    client=client_address(self.request.META),
                )
            except DomainError as refusal:
                raise ValidationError(refusal.message, code=refusal.type) from refusal
            self.user_cache = User.objects.get(pk=account.identity_id)
        return given
