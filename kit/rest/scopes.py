"""The sales channels that a request may read: the app that knows publishable keys stands above the kit."""

from collections.abc import Callable

from django.http import HttpRequest

from kit.domain.actor import Actor
from kit.domain.hooks import Wired

STORE_SCOPE = Wired[Callable[[HttpRequest], Actor]]("the scope of a publishable key")
"""Returns the anonymous caller in the scope of the request's publishable key. Raises NotAllowed for a bad one."""

KEYLESS_SCOPE = Wired[Callable[[], Actor]]("the scope of requests without a key")
"""Returns the anonymous caller in the store's default sales channel."""
