"""The request that delivers an event, as Standard Webhooks describe it (https://www.standardwebhooks.com)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import orjson
from django.conf import settings
from standardwebhooks import Webhook

from kit.messages.outbox.models import Event
from kit.messages.webhooks.endpoints.signing_secrets import unseal
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.values.timestamps import isoformat, now

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Message:
    """The body and the headers of one try."""

    body: bytes
    headers: Mapping[str, str]


def message(delivery: Delivery, address: WebhookAddress) -> Message:
    """The signed message. Body and `webhook-id` are the same at each try; the timestamp is the try's.

    Raises UnreadableSecret.
    """
    body, moment = _body(delivery.event), now()
    headers = {
        "content-type": "application/json",
        "user-agent": f"Commerce/{settings.VERSION}",
        "webhook-id": delivery.event.event_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(
            Webhook(secret).sign(delivery.event.event_id, moment, body.decode()) for secret in _secrets(address, moment)
        ),
        "webhook-delivery": delivery.pk,
    }
    return Message(body, headers)


def _body(event: Event) -> bytes:
    return orjson.dumps(
        {
            "type": event.name,
            "id": event.event_id,
            "version": FORMAT_VERSION,
            "timestamp": isoformat(event.created_at),
            "data": event.data,
        }
    )


def _secrets(address: WebhookAddress, moment: datetime) -> list[str]:
    """The secret and, for a while after it was changed, the former one."""
    is_former_valid = address.former_secret_until is not None and moment < address.former_secret_until
    sealed = [address.sealed_secret, *([address.sealed_former_secret] if is_former_valid else [])]
    return [unseal(each) for each in sealed]
