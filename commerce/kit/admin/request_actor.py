"""The actor of a request to the admin site."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from commerce.kit.core.actor import Actor


def request_actor(request: HttpRequest) -> Actor:
    """The signed-in member of staff, with their present permissions.

    settings.STAFF_ACTOR makes the actor: the app that knows staff stands above this package.
    """
    actor: Actor = import_string(settings.STAFF_ACTOR)(request.user)
    return actor
