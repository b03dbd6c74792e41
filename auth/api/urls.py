"""The routes below /auth, and those below /admin that are about passwords."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from auth.account_types.actors import is_known
from auth.api.staff_viewsets import InviteAcceptance, UserPasswords, UserProviders
from auth.api.viewsets import (
    PasswordReset,
    PasswordUpdate,
    Providers,
    Register,
    SecondFactors,
    Sessions,
    SignIn,
    Tokens,
)


class ActorType(StringConverter):
    """An actor type that can sign in; others have no route."""

    def to_python(self, value: str) -> str:
        if not is_known(value):
            raise ValueError(value)
        return super().to_python(value)


register_converter(ActorType, "actor_type")

urlpatterns = [
    path("<actor_type:actor_type>/providers", Providers.as_view({"get": "list"})),
    path("<actor_type:actor_type>/emailpass", SignIn.as_view({"post": "create"})),
    path("<actor_type:actor_type>/emailpass/register", Register.as_view({"post": "create"})),
    path("<actor_type:actor_type>/emailpass/reset-password", PasswordReset.as_view({"post": "create"})),
    path("<actor_type:actor_type>/emailpass/update", PasswordUpdate.as_view({"post": "update"})),
    path("mfa/factors", SecondFactors.as_view({"get": "list"})),
    path("token/refresh", Tokens.as_view({"post": "refresh"})),
    path("session", Sessions.as_view({"post": "create", "delete": "destroy"})),
]
admin = [
    path("invites/accept", InviteAcceptance.as_view({"post": "create"})),
    path("users/<str:id>/reset-password", UserPasswords.as_view({"post": "reset"})),
    path("users/<str:id>/auth-providers", UserProviders.as_view({"get": "providers"})),
]
