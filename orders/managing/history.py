"""The history of an order on the admin site, for changes through any interface."""

from django.contrib.admin.models import CHANGE, LogEntry

from kit.domain.actor import Actor
from orders.models import Order


def record(order: Order, message: str, *, actor: Actor) -> None:
    """Add an entry for a staff user, in the verb's transaction. Forms of the admin site need not add another.

    message: may name fields, but never holds personal data.
    """
    if actor.type == "user":
        LogEntry.objects.log_actions(str(actor.id), [order], CHANGE, message, single_object=True)
