"""Requesting an email with a link to an order.

Answer, statements and time do not depend on whether there is such an order: it is looked up when the email is rendered
(orders/mails/lookups.py). Why: docs/decisions/orders.md#guests-find-an-order-through-its-email-address.
"""

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from kit.domain.actor import Actor
from kit.messages.mails.queueing import queue_mail
from kit.safety.throttling.counters import hit_each
from kit.values import email_address, text
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches
from orders.mails.lookups import KIND
from orders.models import OrderLookup
from orders.models.lookups import LONGEST_NUMBER, address_digest


def request_lookup(*, actor: Actor, display_id: str, email: str, client: str) -> None:
    """Queue an email to that address, if a guest has placed the order with it in the actor's channels.

    display_id: the number, or the one in the shop's own format, also with `#`. client: the caller's network address.
    Must not be called inside a transaction (RuntimeError): the throttles must count even if the request fails.
    Raises InvalidData, TooManyRequests.
    """
    address = email_address.checked(email)
    number = text.checked(display_id.strip().removeprefix("#"), field="display_id", may_be_blank=False, one_line=True)
    text.checked(number, field="display_id", longest=LONGEST_NUMBER)
    hit_each({"client_flood": f"lookup {client}", "order_lookups": address})
    _queue(number, address, actor.sales_channel_ids)


@transaction.atomic
def _queue(number: str, address: str, sales_channel_ids: tuple[str, ...]) -> None:
    request = OrderLookup.objects.create(
        number=number, email_digest=address_digest(address), sales_channel_ids=list(sales_channel_ids)
    )
    queue_mail(KIND, about=request.pk, is_for_guest=True)


def discard_expired() -> int:
    """Delete old requests, whether or not their email was sent, once their token has expired; returns how many."""
    moment = now()
    over = Q(expires_at=None) | Q(expires_at__lt=moment)
    old = OrderLookup.objects.filter(over, created_at__lt=moment - settings.ORDER_LOOKUP_REQUEST_LIFETIME)
    return delete_in_batches(old)
