"""The pages on which an invited person chooses a password."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe
from unfold.forms import AdminPasswordChangeForm
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.messages.mails.tokens import token_digest
from staff.errors import InvitationOver
from staff.invitations import accept, invitation_of
from staff.models import User

_SESSION_KEY = "invitation"
"""The session's key of the token's digest, which does not open the page elsewhere."""


class AcceptForm(AdminPasswordChangeForm):  # type: ignore[misc]
    """The person's name and password, which must obey the password rules."""

    first_name = forms.CharField(
        max_length=150, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "given-name", "autofocus": True})
    )
    last_name = forms.CharField(
        max_length=150, required=False, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "family-name"})
    )

    field_order = ("first_name", "last_name", "password1", "password2")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        del self.fields["usable_password"]  # Django's choice of a user without a password
        self.fields["password1"].widget.attrs.pop("autofocus", None)


@require_safe
@never_cache
def store_token(request: HttpRequest, token: str) -> HttpResponse:
    """Take the token out of the address, which browsers keep in their history and send to other pages."""
    digest = token_digest(token)
    if invitation_of(digest) is not None:  # otherwise strangers could fill the table of sessions
        request.session[_SESSION_KEY] = digest
    answer = redirect("accept_invitation")
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def accept_page(request: HttpRequest) -> HttpResponse:
    """The form; when it is valid, creates the user and leads to the login."""
    digest = request.session.get(_SESSION_KEY, "")
    invitation = invitation_of(digest)
    if invitation is None:
        return _page(request, None, status=404, refusal=InvitationOver().message)
    form = AcceptForm(User(email=invitation.email), request.POST or None)
    if not form.is_valid():
        return _page(request, form, email=invitation.email, inviter=invitation.invited_by.get_full_name())
    given = form.cleaned_data
    try:
        accept(
            digest=digest,
            hashed=make_password(given["password1"]),
            first_name=given["first_name"],
            last_name=given["last_name"],
        )
    except InvitationOver as refusal:
        return _page(request, None, status=404, refusal=refusal.message)
    del request.session[_SESSION_KEY]
    messages.success(request, "Your account is ready. Log in with your email and password.")
    return redirect("admin:login")


def _page(request: HttpRequest, form: AcceptForm | None, *, status: int = 200, **context: str) -> HttpResponse:
    shown = {**admin.site.each_context(request), "title": "Choose your password", "form": form, **context}
    return TemplateResponse(request, "auth/invitation.html", shown, status=status)
