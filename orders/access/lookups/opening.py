"""Opening the order that a link shows."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.domain.missing_row import GuessedRowNotFound
from kit.messages.mails.tokens import token_digest
from kit.values.timestamps import now
from orders.models import OrderLookup


class OrderLookupNotFound(GuessedRowNotFound):
    """The token is wrong, was used or has expired, or its order is no longer shown to guests."""

    noun = "Order lookup"


@transaction.atomic
def open_lookup(*, token: str, actor: Actor | None = None) -> str:
    """Use the token of the email, which works once; returns the id of its order.

    actor: a shopper, who finds orders of their own channels; None on the shop's own page, which belongs to none.
    The update that marks it decides between concurrent uses. It is looked up by the digest of 256 random bits: how long
    that takes says nothing about them. Raises OrderLookupNotFound.
    """
    lookups = OrderLookup.objects.filter(token_digest=token_digest(token))
    if not lookups.filter(used_at=None, expires_at__gt=now()).update(used_at=now()):
        raise OrderLookupNotFound(token)
    order = lookups.get().find_order()
    if order is None or (actor is not None and order.sales_channel_id not in actor.sales_channel_ids):
        raise OrderLookupNotFound(token)
    return order.pk
