"""The base of what `authentication_classes` may name."""

from typing import ClassVar

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from kit.domain.actor import Actor


class ActorAuthentication(BaseAuthentication):
    """Authenticates an Actor; DRF's own classes give a user, who counts as nobody here.

    header: the header that holds the credential, as WSGI names it. A request is anonymous without the header of any
    authentication class of its endpoint, and without a session cookie.
    """

    header: ClassVar[str] = "HTTP_AUTHORIZATION"

    def authenticate(self, request: Request) -> tuple[Actor, object] | None:
        """The actor and their credential, None without a valid one."""
        raise NotImplementedError
