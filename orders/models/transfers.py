"""Requests to transfer an order to another customer."""

from django.db import models
from django.db.models import Q

from customers.models import Customer
from kit.values.ids import IdField
from kit.values.timestamps import TimestampField, now
from orders.models.orders import Order
from orders.states import TransferStatus


class OrderTransfer(models.Model):
    """A customer's request for an order of somebody else. The order's email address gets a token to accept it.

    token_digest: null until the email is rendered, when the token is made; expires_at: its lifetime begins then.
    Why: docs/decisions/orders.md#transfer-tokens-exist-in-emails-only.
    """

    id = IdField(prefix="ordtsf")
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="transfers")
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="order_transfers")
    status = models.CharField(max_length=16, choices=TransferStatus, default=TransferStatus.REQUESTED)
    token_digest = models.CharField(max_length=64, null=True, unique=True, editable=False)
    update_order_email = models.BooleanField(default=False)
    description = models.TextField(null=True, blank=True)
    created_at = TimestampField(default=now, editable=False)
    expires_at = TimestampField(null=True, editable=False)
    ended_at = TimestampField(null=True, editable=False)

    objects = models.Manager["OrderTransfer"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["order", "customer"],
                condition=Q(status=TransferStatus.REQUESTED),
                name="orders_transfer_one_open",
            ),
            models.CheckConstraint(condition=Q(status__in=TransferStatus.values), name="orders_transfer_status"),
        ]

    def __str__(self) -> str:
        return f"{self.order_id} to {self.customer_id}"
