"""Requests to fulfillment providers, which are recorded before they are sent.

Why: docs/decisions/fulfillments.md#carriers-are-asked-after-the-commit.
"""

from django.db import models
from django.db.models import Q

from kit.database.claims import ClaimantField
from kit.values.ids import IdField
from kit.values.timestamps import TimestampField, now
from orders.models.fulfillments import Fulfillment
from orders.states import CarrierAct, CarrierResult


class CarrierRequest(models.Model):
    """A request to a provider, at most one of each kind for a fulfillment. Its id is the idempotency key sent along.

    claimed_until: until when no other process may send it. attempts: how often it was claimed.
    claimed_by: the process that is sending it, empty after a failure (kit/database/claims.py).
    done_at: null until the provider has answered, or the request is no longer needed.
    error: why the provider refused, or how the last request failed.
    """

    id = IdField(prefix="fulreq")
    fulfillment = models.ForeignKey(Fulfillment, on_delete=models.PROTECT, related_name="requests")
    act = models.CharField(max_length=8, choices=CarrierAct)
    created_at = TimestampField(default=now, editable=False)
    claimed_until = TimestampField(null=True, editable=False)
    claimed_by = ClaimantField()
    attempts = models.PositiveIntegerField(default=0, editable=False)
    done_at = TimestampField(null=True, editable=False)
    result = models.CharField(max_length=12, choices=CarrierResult, blank=True)
    error = models.TextField(blank=True)

    objects = models.Manager["CarrierRequest"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["fulfillment", "act"], name="orders_carrierrequest_once"),
            models.CheckConstraint(
                condition=Q(done_at=None, result="") | (Q(done_at__isnull=False) & ~Q(result="")),
                name="orders_carrierrequest_result",
            ),
        ]
        indexes = [models.Index(fields=["claimed_until"], condition=Q(done_at=None), name="orders_carrierrequest_open")]

    def __str__(self) -> str:
        return f"{self.act} {self.fulfillment_id}"
