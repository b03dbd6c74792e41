"""The routes below /auth."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from auth.account_types.actors import accepts_registration, is_known
from auth.api.viewsets import PasswordReset, PasswordUpdate, Providers, Register, Sessions, SignIn, Tokens


class ActorType(StringConverter):
    """An actor type that can sign in; others have no route."""

    def to_python(self, value: str) -> str:
        if not is_known(value):
            raise ValueError(value)
        return super().to_python(value)


class RegistrableActorType(StringConverter):
    """An actor type that anybody can register; others have no registration route."""

    def to_python(self, value: str) -> str:
        if not accepts_registration(value):
            raise ValueError(value)
        return super().to_python(value)


register_converter(ActorType, "actor_type")
register_converter(RegistrableActorType, "open_actor_type")

urlpatterns = [
    path("<actor_type:actor_type>/providers", Providers.as_view({"get": "list"})),
    path("<actor_type:actor_type>/emailpass", SignIn.as_view({"post": "create"})),
    path("<open_actor_type:actor_type>/emailpass/register", Register.as_view({"post": "create"})),
    path("<actor_type:actor_type>/emailpass/reset-password", PasswordReset.as_view({"post": "create"})),
    path("<actor_type:actor_type>/emailpass/update", PasswordUpdate.as_view({"post": "update"})),
    path("token/refresh", Tokens.as_view({"post": "refresh"})),
    path("session", Sessions.as_view({"post": "create", "delete": "destroy"})),
]
