"""Requests to providers, which are recorded before they are sent, and events from providers.

Why: docs/decisions/payments.md#providers-are-called-between-two-transactions,
docs/decisions/payments.md#a-repeated-request-continues-its-intent.
"""

from django.db import models
from django.db.models import Q

from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now
from payments.models.refund_reasons import RefundReason
from payments.models.sessions import PaymentSession
from payments.states import Act, Result
from shop.models import PaymentProvider


class Intent(models.Model):
    """A request to a provider. Its id is the idempotency key that is sent along.

    A session's intents are carried out in order. amount: of captures and refunds, and the new one of an
    update. data: for the provider.
    note, refund_reason: of refunds. is_owed: of a refund of money that no order took, or whose order was canceled; it
    is retried until it is done.
    no_notification: of a refund: whether the customer gets no email about it.
    created_by: the id of the staff user who requested it.
    idempotency_digest: of the request's Idempotency-Key (kit/safety/idempotency); null without one.
    claimed_at: when the latest process began to send it. claimed_until: until when no other process may.
    attempts: how often it was claimed. done_at: null until the provider has answered.
    error: why the provider refused, or how the last request failed.
    """

    id = IdField(prefix="payint")
    session = models.ForeignKey(PaymentSession, on_delete=models.PROTECT, related_name="intents")
    act = models.CharField(max_length=16, choices=Act)
    amount = MoneyField(null=True, blank=True)
    data = models.JSONField(default=dict, blank=True)
    note = models.TextField(null=True, blank=True)
    refund_reason = models.ForeignKey(RefundReason, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    is_owed = models.BooleanField(default=False, editable=False)
    no_notification = models.BooleanField(null=True, editable=False)
    created_by = models.CharField(max_length=64, null=True, blank=True)
    idempotency_digest = models.CharField(max_length=64, null=True, blank=True, db_column="key_mark")
    created_at = TimestampField(default=now, editable=False)
    claimed_at = TimestampField(null=True, blank=True, editable=False)
    claimed_until = TimestampField(null=True, blank=True, editable=False)
    attempts = models.PositiveIntegerField(default=0, editable=False)
    done_at = TimestampField(null=True, blank=True, editable=False)
    result = models.CharField(max_length=8, choices=Result, blank=True)
    error = models.TextField(blank=True)

    objects = models.Manager["Intent"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["idempotency_digest"], name="payments_intent_key_once"),
            models.UniqueConstraint(
                fields=["session", "act"],
                condition=Q(act__in=[Act.START, Act.CANCEL]),
                name="payments_intent_once_a_session",
            ),
            models.CheckConstraint(
                condition=Q(act__in=[Act.CAPTURE, Act.REFUND, Act.UPDATE], amount__isnull=False, amount__gt=0)
                | Q(act__in=[Act.START, Act.AUTHORIZE, Act.CANCEL], amount=None),
                name="payments_intent_amount",
            ),
            models.CheckConstraint(
                condition=Q(done_at=None, result="") | (Q(done_at__isnull=False) & ~Q(result="")),
                name="payments_intent_result",
            ),
        ]
        indexes = [
            models.Index(fields=["claimed_until"], condition=Q(done_at=None), name="payments_intent_open"),
            models.Index(
                fields=["session"],
                condition=Q(result=Result.REFUSED, act__in=[Act.CAPTURE, Act.REFUND]),
                name="payments_intent_refused",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.session_id}"


class ProviderEvent(models.Model):
    """An event from a provider, applied once. event_id: the provider's own id."""

    provider = models.ForeignKey(PaymentProvider, on_delete=models.PROTECT, related_name="+")
    event_id = models.CharField(max_length=255)
    action = models.CharField(max_length=24)
    session = models.ForeignKey(PaymentSession, null=True, on_delete=models.PROTECT, related_name="events")
    created_at = TimestampField(default=now, editable=False)

    objects = models.Manager["ProviderEvent"]()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "event_id"], name="payments_event_once")]

    def __str__(self) -> str:
        return f"{self.action} {self.event_id}"
