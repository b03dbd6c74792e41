"""Staff who manage orders, and the records of what they did."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from giftcards.verification.verification import discrepancies
from kit.domain.actor import Actor
from kit.errors import DomainError
from orders.models import Order
from payments.models import Intent
from payments.requests import intents
from tests.factories.staff import UserFactory


def staff() -> Actor:
    """A member of staff who may do everything."""
    return Actor("user", UserFactory().pk, permitted=lambda permission: True)


def refusal(verb: Any, **given: Any) -> tuple[str, str]:
    """The type and the message of what the verb refuses."""
    with pytest.raises(DomainError) as error:
        verb(**given)
    return error.value.type, error.value.message


def statuses(order: Order) -> tuple[str, str, str]:
    """Of the order, its payment and its fulfillment."""
    order.refresh_from_db()
    return order.status, order.payment_status, order.fulfillment_status


def history(order: Order) -> list[str]:
    return list(LogEntry.objects.filter(object_id=order.pk).order_by("pk").values_list("change_message", flat=True))


def work(times: int = 1) -> None:
    """What the background worker does for payments, without its waits."""
    for _ in range(times):
        Intent.objects.filter(done_at=None).update(claimed_until=None)
        for intent_id in Intent.objects.filter(done_at=None).order_by("pk").values_list("pk", flat=True):
            intents._resume(intent_id)


def open_requests() -> list[tuple[str, Any]]:
    return list(Intent.objects.filter(done_at=None).order_by("pk").values_list("act", "amount"))


def is_clean() -> bool:
    return list(discrepancies()) == []
