"""Attempts to complete a cart: what one has claimed while its payment is under way."""

from django.db import models
from django.db.models import Q

from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now
from kit.values.written_amounts import written
from orders.models.orders import Order
from orders.states import AttemptStatus
from shop.models import Currency


class CompletionAttempt(models.Model):
    """Open while the provider is asked: the cart is closed, and its stock, promotions and credit are claimed.

    session_id: of the payment session that pays. total: what it has to pay. error: why the attempt was released.
    idempotency_digest: of the request's Idempotency-Key.
    """

    id = IdField(prefix="ordatt")
    cart_id = models.CharField(max_length=ID_MAX_LENGTH, db_index=True)
    session_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, db_index=True)
    total = MoneyField()
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    status = models.CharField(max_length=16, choices=AttemptStatus, default=AttemptStatus.OPEN)
    order = models.OneToOneField(Order, null=True, blank=True, on_delete=models.PROTECT, related_name="attempt")
    idempotency_digest = models.CharField(max_length=64, null=True, blank=True)
    error = models.TextField(blank=True)
    created_at = TimestampField(default=now, editable=False)
    ended_at = TimestampField(null=True, blank=True, editable=False)

    objects = models.Manager["CompletionAttempt"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["cart_id"], condition=Q(status=AttemptStatus.OPEN), name="orders_attempt_one_open"
            ),
            models.CheckConstraint(
                condition=Q(status=AttemptStatus.OPEN, ended_at=None, order=None)
                | Q(status=AttemptStatus.COMPLETED, ended_at__isnull=False, order__isnull=False)
                | Q(status=AttemptStatus.RELEASED, ended_at__isnull=False, order=None),
                name="orders_attempt_status",
            ),
        ]
        indexes = [
            models.Index(fields=["created_at"], condition=Q(status=AttemptStatus.OPEN), name="orders_attempt_open")
        ]

    def __str__(self) -> str:
        """Without the id of the cart, which opens a guest's cart."""
        return f"{self.get_status_display()} attempt to pay {written(self.total, self.currency_id)}"
