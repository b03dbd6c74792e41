"""Events, webhook endpoints and their deliveries for tests."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from kit.domain.actor import SYSTEM
from kit.messages.outbox.models import Event
from kit.messages.outbox.recording import record_event
from kit.messages.webhooks.delivery.fan_out import fan_out
from kit.messages.webhooks.endpoints.adding import SecretAddress, add
from kit.messages.webhooks.models import Delivery, WebhookAddress

URL = "https://erp.example/hooks"
MOMENT = datetime.fromisoformat("2026-11-22T12:00:00+00:00")


def address(url: str = URL, *events: str) -> SecretAddress:
    return add(actor=SYSTEM, url=url, events=events)


def event(about: str = "order_1", *, name: str = "order.placed", order_of: str | None = None, **data: str) -> Event:
    with transaction.atomic():
        record_event(name, about=about, order_of=order_of, data=data)
    return Event.objects.latest("number")


def delivery(to: WebhookAddress, **given: Any) -> Delivery:
    """Of a new event."""
    made = event(**given)
    fan_out()
    return Delivery.objects.get(event=made, address=to)


def later(**parts: float) -> datetime:
    return MOMENT + timedelta(**parts)
