"""Which process tries a delivery (kit/writes/leases.py), and how the try ends."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from kit.database.locking import lock_rows
from kit.messages.webhooks.delivery.schedule import SWITCHED_OFF_AFTER, TRIED_FOR, next_try, pause_end
from kit.messages.webhooks.endpoints.disabling import switch_off_failing
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.timestamps import now
from kit.writes.leases import Leased

LEASE = timedelta(seconds=30)
"""Longer than any try takes."""
DELIVERIES = Leased(rows=lambda: Delivery.objects.pending().select_related("event"), lease=lambda: LEASE)


def due_rows() -> "QuerySet[Delivery]":
    """Those that may be tried now: nobody tries them, and no earlier event must go first."""
    earlier = Delivery.objects.pending().filter(
        address=OuterRef("address"), order_of=OuterRef("order_of"), event__lt=OuterRef("event")
    )
    return DELIVERIES.free_rows().filter(~Exists(earlier), due_at__lte=now())


def claim_next(address: WebhookAddress) -> Delivery | None:
    """Claim the first delivery of the address that is due; None if there is none."""
    while (first := due_rows().filter(address=address).order_by("event").first()) is not None:
        if delivery := DELIVERIES.claim(first.pk, among=due_rows()):
            return delivery
    return None


@transaction.atomic(durable=True)
def record_success(delivery: Delivery, *, status: int) -> None:
    """The address has received the event."""
    failing = WebhookAddress.objects.filter(pk=delivery.address_id, failing_since__isnull=False)
    failing.update(failing_since=None, paused_until=None)  # addresses are locked before their deliveries
    DELIVERIES.release(delivery, status=DeliveryStatus.DELIVERED, ended_at=now(), response_status=status)


@transaction.atomic(durable=True)
def record_failure(delivery: Delivery, *, reason: str, status: int | None) -> str | None:
    """Have the delivery tried again, or fail it if its time is over. Returns why the endpoint was disabled, if so.

    status: of the answer. Without one the address is left alone for a while, and after TRIED_FOR of nothing but
    failures also those of its deliveries fail whose turn has not come.
    """
    (address,) = lock_rows(WebhookAddress.objects.filter(pk=delivery.address_id))
    due_at = next_try(expires_at=delivery.expires_at)
    result = {"due_at": due_at} if due_at else {"status": DeliveryStatus.FAILED, "ended_at": now()}
    is_ours = DELIVERIES.release(delivery, error=reason, response_status=status, **result)
    if not is_ours or address.disabled_at is not None:
        return None
    address.failing_since = address.failing_since or now()
    if status is None:
        address.paused_until = pause_end(failing_since=address.failing_since)
    address.save(update_fields=["failing_since", "paused_until"])
    if now() - address.failing_since >= SWITCHED_OFF_AFTER:
        days = SWITCHED_OFF_AFTER.days
        why = f"Every delivery failed for {days} days, last: {reason}"
        switch_off_failing(address, why)
        return why
    if now() - address.failing_since >= TRIED_FOR:
        overdue = address.deliveries.pending().filter(expires_at__lt=now())
        overdue.update(status=DeliveryStatus.FAILED, ended_at=now(), error=reason)
    return None
