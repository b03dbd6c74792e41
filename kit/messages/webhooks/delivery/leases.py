"""Which process tries a delivery, and how the try ends.

A claim ends after LEASE, longer than any try takes, so that the deliveries of a killed process go on soon; those of one
that is started again, at once. `attempts`
numbers the claims: a process that comes too late records nothing.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F

from kit.database.claims import claimant
from kit.database.locking import lock_rows
from kit.messages.webhooks.delivery.schedule import SWITCHED_OFF_AFTER, TRIED_FOR, next_try, pause_end
from kit.messages.webhooks.endpoints.disabling import switch_off_failing
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.timestamps import now

LEASE = timedelta(seconds=30)


def claim_next(address: WebhookAddress) -> Delivery | None:
    """Claim the first delivery of the address that is due; None if there is none."""
    while (found := Delivery.objects.due().filter(address=address).order_by("event").first()) is not None:
        if (
            Delivery.objects.due()
            .filter(pk=found.pk, attempts=found.attempts)
            .update(attempts=F("attempts") + 1, claimed_until=now() + LEASE, claimed_by=claimant())
        ):
            return Delivery.objects.select_related("event").get(pk=found.pk)
    return None


def free_claims_of(name: str) -> None:
    """Have those deliveries tried again that the killed process of this name was trying."""
    Delivery.objects.pending().filter(claimed_by=name).update(claimed_until=None)


@transaction.atomic(durable=True)
def record_success(delivery: Delivery, *, status: int) -> None:
    """The address has received the event."""
    failing = WebhookAddress.objects.filter(pk=delivery.address_id, failing_since__isnull=False)
    failing.update(failing_since=None, paused_until=None)  # addresses are locked before their deliveries
    _end(delivery, DeliveryStatus.DELIVERED, response_status=status, error="")


@transaction.atomic(durable=True)
def record_failure(delivery: Delivery, *, reason: str, status: int | None) -> str | None:
    """Have the delivery tried again, or fail it if its time is over. Returns why the endpoint was disabled, if so.

    status: of the answer. Without one the address is left alone for a while, and after TRIED_FOR of nothing but
    failures also those of its deliveries fail whose turn has not come.
    """
    (address,) = lock_rows(WebhookAddress.objects.filter(pk=delivery.address_id))
    if not _leave(delivery, reason=reason, status=status) or address.disabled_at is not None:
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


def _leave(delivery: Delivery, *, reason: str, status: int | None) -> bool:
    """Release the delivery for its next try, or fail it. Returns False if the claim was lost."""
    due_at = next_try(expires_at=delivery.expires_at)
    if due_at is None:
        return _end(delivery, DeliveryStatus.FAILED, response_status=status, error=reason)
    ours = Delivery.objects.pending().filter(pk=delivery.pk, attempts=delivery.attempts)
    return bool(ours.update(due_at=due_at, claimed_until=None, response_status=status, error=reason))


def _end(delivery: Delivery, outcome: DeliveryStatus, *, response_status: int | None, error: str) -> bool:
    ours = Delivery.objects.pending().filter(pk=delivery.pk, attempts=delivery.attempts)
    return bool(
        ours.update(status=outcome, ended_at=now(), claimed_until=None, response_status=response_status, error=error)
    )
