"""The routes below /auth."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from commerce.auth.actors import is_known
from commerce.auth.api.viewsets import Sessions, SignIn, Tokens


class ActorType(StringConverter):
    """An actor type that can sign in; for any other there is no route."""

    def to_python(self, value: str) -> str:
        if not is_known(value):
            raise ValueError(value)
        return super().to_python(value)


register_converter(ActorType, "actor_type")

urlpatterns = [
    path("<actor_type:actor_type>/emailpass", SignIn.as_view({"post": "create"})),
    path("token/refresh", Tokens.as_view({"post": "refresh"})),
    path("session", Sessions.as_view({"post": "create", "delete": "destroy"})),
]
