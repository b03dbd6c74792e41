"""Payments, captures and refunds."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now
from kit.values.written_amounts import written
from payments.models.collections import PartQuerySet, PaymentCollection
from payments.models.intents import Intent
from payments.models.refund_reasons import RefundReason
from payments.models.sessions import PaymentSession
from shop.models import Currency, PaymentProvider
from shop.provider_name import provider_name


class Payment(BaseModel):
    """The payment of an authorized session.

    authorized_amount: the most that can be captured. returned_amount: see PaymentCollection.
    """

    id = IdField(prefix="pay")
    session = models.OneToOneField(PaymentSession, on_delete=models.PROTECT, related_name="payment")
    collection = models.ForeignKey(PaymentCollection, on_delete=models.PROTECT, related_name="payments")
    provider = models.ForeignKey(PaymentProvider, on_delete=models.PROTECT, related_name="+")
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    amount = MoneyField()
    authorized_amount = MoneyField()
    captured_amount = MoneyField(default=0, editable=False)
    refunded_amount = MoneyField(default=0, editable=False)
    returned_amount = MoneyField(default=0, editable=False)
    captured_at = TimestampField(null=True, blank=True, editable=False)
    canceled_at = TimestampField(null=True, blank=True, editable=False)

    objects = PartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    refunded_amount__gte=0,
                    captured_amount__gte=F("refunded_amount"),
                    authorized_amount__gte=F("captured_amount"),
                ),
                name="payments_payment_sums",
            ),
            models.CheckConstraint(
                condition=Q(returned_amount__gte=0, returned_amount__lte=F("captured_amount")),
                name="payments_payment_returned",
            ),
        ]

    def __str__(self) -> str:
        return f"{written(self.amount, self.currency_id)}, {provider_name(self.provider_id)}"


class MovementQuerySet(PartQuerySet):
    """Captures and refunds, which are never deleted."""

    cart = "payment__collection__cart__"

    def not_deleted(self) -> Self:
        return self

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        return super().visible_to(actor)


class Movement(models.Model):
    """created_by: the id of the staff user who requested it; null if no person did.

    intent_id: the request behind it; null if the money was moved at the provider.
    """

    amount = MoneyField()
    created_by = models.CharField(max_length=64, null=True, blank=True)
    created_at = TimestampField(default=now, editable=False)

    objects = MovementQuerySet.as_manager()

    class Meta:
        abstract = True


class Capture(Movement):
    """Captured money."""

    id = IdField(prefix="capt")
    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="captures")
    intent = models.OneToOneField(Intent, null=True, blank=True, on_delete=models.PROTECT, related_name="capture")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="payments_capture_amount")]

    def __str__(self) -> str:
        return self.id


class Refund(Movement):
    """Refunded money."""

    id = IdField(prefix="ref")
    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="refunds")
    refund_reason = models.ForeignKey(
        RefundReason, null=True, blank=True, on_delete=models.PROTECT, related_name="refunds"
    )
    note = models.TextField(null=True, blank=True)
    intent = models.OneToOneField(Intent, null=True, blank=True, on_delete=models.PROTECT, related_name="refund")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="payments_refund_amount")]

    def __str__(self) -> str:
        return self.id
