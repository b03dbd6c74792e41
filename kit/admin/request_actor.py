"""The actor of a request to the admin site."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from kit.domain.actor import Actor
from kit.domain.hooks import AdminWired

STAFF_ACTOR = AdminWired[Callable[[Any], Actor]]("the actor of a staff user")
"""Returns the user as an actor. The app that knows staff stands above the kit."""


def request_actor(request: HttpRequest) -> Actor:
    """The signed-in member of staff, with their present permissions."""
    return STAFF_ACTOR.get()(request.user)


def may_all(*permissions: str) -> Callable[[HttpRequest], bool]:
    """Whether the user has all of these permissions, as a `Button` asks."""
    return lambda request: all(map(request_actor(request).may, permissions))
