"""Adding a webhook endpoint."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import transaction

from kit.domain.actor import Actor
from kit.messages.webhooks.endpoints.endpoint_lock import require_free_url
from kit.messages.webhooks.endpoints.event_choice import checked_events
from kit.messages.webhooks.endpoints.signing_secrets import new_secret, seal
from kit.messages.webhooks.endpoints.targets import target_of
from kit.messages.webhooks.errors import TooManyWebhookEndpoints
from kit.messages.webhooks.models import WebhookAddress
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS

MOST_ADDRESSES = 20


@dataclass(frozen=True, slots=True)
class SecretAddress:
    """An address and its new secret, which is shown only now."""

    address: WebhookAddress
    secret: str = field(repr=False)


@transaction.atomic
def add(*, actor: Actor, url: str, events: Iterable[str] = ()) -> SecretAddress:
    """Add an address, which receives what happens from now on.

    events: names of events; none for all. Raises InvalidData (url, events), AddressTaken, TooManyWebhookEndpoints,
    Forbidden.
    """
    actor.require("webhooks.add_webhookaddress")
    target_of(url)
    names = checked_events(events)
    require_free_url(url)
    if WebhookAddress.objects.not_deleted().count() >= MOST_ADDRESSES:
        raise TooManyWebhookEndpoints(MOST_ADDRESSES)
    secret, author = new_secret(), actor.id if actor.type == "user" else None
    address = WebhookAddress.objects.create(url=url, events=names, sealed_secret=seal(secret), created_by_id=author)
    SUBSCRIPTIONS.forget()
    return SecretAddress(address, secret)
