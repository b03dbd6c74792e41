"""Webhook endpoints, and the delivery of each event to each of them."""

from collections.abc import Sequence
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from kit.database.claims import ClaimantField
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.messages.outbox.models import Event
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now

LONGEST_URL = 2000


class WebhookAddressQuerySet(ResourceQuerySet):
    """Webhook endpoints, limited to what the actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff with the permission see all; others none."""
        if not actor.may("webhooks.view_webhookaddress"):
            return self.none()
        return self if with_deleted else self.not_deleted()

    def enabled(self) -> Self:
        """The endpoints that events are sent to."""
        return self.not_deleted().filter(disabled_at=None)


class WebhookAddress(BaseModel):
    """A program that receives events.

    events: the names of events that are sent; empty for all. sealed_secret: see signing_secrets.py.
    sealed_former_secret: signs too, until `former_secret_until`, after the secret was changed.
    failing_since: the first of the failures since the last success. paused_until: after a failure without an answer,
    nothing is tried before. disabled_at: null while it is enabled.
    """

    id = IdField(prefix="webhook")
    url = models.CharField(max_length=LONGEST_URL, verbose_name="URL")
    events = models.JSONField(default=list, blank=True)
    sealed_secret = models.TextField(editable=False)
    sealed_former_secret = models.TextField(blank=True, default="", editable=False)
    former_secret_until = TimestampField(null=True, editable=False)
    failing_since = TimestampField(null=True, editable=False)
    paused_until = TimestampField(null=True, editable=False)
    disabled_at = TimestampField(null=True, editable=False, verbose_name="disabled at")
    disabled_reason = models.CharField(max_length=255, blank=True, default="", editable=False, verbose_name="reason")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", editable=False
    )

    objects = WebhookAddressQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = "webhook endpoint", "webhook endpoints"
        constraints = [
            unique_unless_deleted("url", name="webhooks_address_url_taken"),
            models.CheckConstraint(
                condition=Q(disabled_at=None, disabled_reason="")
                | (Q(disabled_at__isnull=False) & ~Q(disabled_reason="")),
                name="webhooks_address_disabled_with_reason",
            ),
            models.CheckConstraint(
                condition=Q(former_secret_until=None, sealed_former_secret="")
                | (Q(former_secret_until__isnull=False) & ~Q(sealed_former_secret="")),
                name="webhooks_address_former_secret_ends",
            ),
        ]

    def __str__(self) -> str:
        return self.url

    def receives(self, event: Event) -> bool:
        """Whether the event is one of those that are sent to it."""
        names: Sequence[str] = self.events
        return not names or event.name in names

    @property
    def state(self) -> str:
        """`disabled`, `failing` after a failure without a success since, else `active`."""
        if self.disabled_at is not None:
            return "disabled"
        return "active" if self.failing_since is None else "failing"


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    """Deliveries, and which of them are not over."""

    def pending(self) -> Self:
        """Deliveries that are not over."""
        return self.filter(status=DeliveryStatus.PENDING)


class Delivery(models.Model):
    """One event for one address.

    order_of: the event's. attempts: how often it was tried. due_at: when it is tried next.
    expires_at: the last try fails it. claimed_until: until when no other process may try it (leases.py).
    claimed_by: the process that does (kit/database/claims.py).
    response_status: of the last answer. error: why the last try failed, in our own words.
    """

    id = IdField(prefix="whdel")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    address = models.ForeignKey(WebhookAddress, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    order_of = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    status = models.CharField(max_length=16, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = TimestampField(default=now)
    expires_at = TimestampField()
    claimed_until = TimestampField(null=True)
    claimed_by = ClaimantField()
    response_status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=255, blank=True, default="")
    created_at = TimestampField(default=now, db_index=True)
    ended_at = TimestampField(null=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["event", "address"], name="webhooks_delivery_once"),
            models.CheckConstraint(
                condition=Q(status=DeliveryStatus.PENDING, ended_at=None)
                | Q(status__in=[DeliveryStatus.DELIVERED, DeliveryStatus.FAILED], ended_at__isnull=False),
                name="webhooks_delivery_ended",
            ),
        ]
        indexes = [
            models.Index(
                fields=["address", "event"],
                condition=Q(status=DeliveryStatus.PENDING),
                name="webhooks_delivery_pending",
            ),
            models.Index(
                fields=["address", "order_of", "event"],
                condition=Q(status=DeliveryStatus.PENDING),
                name="webhooks_delivery_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event.name} to {self.address}"
