"""Returns of orders, with their items."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField
from orders.models.items import OrderLineItem
from orders.models.order_changes import OrderChange
from orders.models.orders import Order, OrderPartQuerySet
from orders.models.return_reasons import ReturnReason
from orders.states import ReturnStatus
from shop.models import StockLocation


class ReturnQuerySet(OrderPartQuerySet):
    """Returns that an actor may see. `own`: the ORM path to the return."""

    own = ""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All for staff who may view returns. Others see those of their orders, once they are requested."""
        if actor.may("orders.view_return"):
            return self if with_deleted else self.not_deleted()
        rows = super().visible_to(actor, with_deleted=with_deleted)
        return rows.exclude(**{f"{self.own}status": ReturnStatus.OPEN})


TO_RECEIVE = Q(status__in=[ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED])
"""Requested, but not completely received yet."""


class Return(BaseModel):
    """Units of an order that the customer returns. Receiving and refunding them are separate steps.

    display_id: counts the returns of the order. order_version: of the order when it was requested.
    change: the exchange or claim that it belongs to, from its confirmation on: its units count as returned at once.
    is_written_off: whether its units, claimed, stay with the customer or never came. It is received at once as
        dismissed. A claim has one such return besides that of the units that come back.
    location: where its units are restocked; null until the first of them are.
    note: of the customer, or of staff for the customer. internal_note: for staff only.
    created_by: the id of a staff user; null if the customer requested it.
    received_by: the id of the staff user who received its latest units. canceled_by: the id of a staff user.
    requested_at: null while staff prepare it. received_at: when the last unit was received.
    """

    id = IdField(prefix="return")
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="returns")
    change = models.ForeignKey(OrderChange, null=True, on_delete=models.PROTECT, related_name="returns", editable=False)
    is_written_off = models.BooleanField(default=False, db_default=False, editable=False)
    display_id = models.PositiveIntegerField(editable=False)
    status = models.CharField(max_length=24, choices=ReturnStatus, editable=False)
    order_version = models.PositiveIntegerField(editable=False)
    location = models.ForeignKey(StockLocation, null=True, on_delete=models.PROTECT, related_name="+")
    no_notification = models.BooleanField(null=True)
    note = models.TextField(null=True)
    internal_note = models.TextField(null=True)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    received_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    canceled_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    requested_at = TimestampField(null=True)
    received_at = TimestampField(null=True)
    canceled_at = TimestampField(null=True)
    metadata = models.JSONField(null=True)

    objects = ReturnQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["order"], condition=TO_RECEIVE, name="orders_return_to_receive")]
        constraints = [
            models.UniqueConstraint(fields=["order", "display_id"], name="orders_return_number"),
            models.UniqueConstraint(
                fields=["change", "is_written_off"],
                condition=Q(change__isnull=False),
                name="orders_return_of_change",
            ),
            models.CheckConstraint(
                condition=Q(is_written_off=False) | Q(change__isnull=False), name="orders_return_written_off"
            ),
            models.CheckConstraint(condition=Q(status__in=ReturnStatus.values), name="orders_return_status"),
            models.CheckConstraint(
                condition=Q(status=ReturnStatus.OPEN, requested_at=None)
                | (~Q(status=ReturnStatus.OPEN) & Q(requested_at__isnull=False)),
                name="orders_return_requested_at",
            ),
            models.CheckConstraint(
                condition=Q(status=ReturnStatus.RECEIVED, received_at__isnull=False)
                | (~Q(status=ReturnStatus.RECEIVED) & Q(received_at=None)),
                name="orders_return_received_at",
            ),
            models.CheckConstraint(
                condition=Q(status=ReturnStatus.CANCELED, canceled_at__isnull=False)
                | (~Q(status=ReturnStatus.CANCELED) & Q(canceled_at=None)),
                name="orders_return_canceled_at",
            ),
        ]

    def __str__(self) -> str:
        return f"Return {self.display_id} of {self.order}"


class ReturnItemQuerySet(ReturnQuerySet):
    """Rows that belong to a return."""

    order = "of_return__order__"
    own = "of_return__"


class ReturnItem(BaseModel):
    """Units of a line in a return.

    damaged_quantity: received units that are not restocked.
    arrived_quantity, arrived_damaged_quantity: units that staff have counted, until they confirm the receipt.
    """

    id = IdField(prefix="retitem")
    of_return = models.ForeignKey(Return, on_delete=models.CASCADE, related_name="items", db_column="return_id")
    item = models.ForeignKey(OrderLineItem, on_delete=models.PROTECT, related_name="return_items")
    quantity = models.PositiveIntegerField()
    received_quantity = models.PositiveIntegerField(default=0)
    damaged_quantity = models.PositiveIntegerField(default=0)
    arrived_quantity = models.PositiveIntegerField(default=0)
    arrived_damaged_quantity = models.PositiveIntegerField(default=0)
    reason = models.ForeignKey(ReturnReason, null=True, on_delete=models.PROTECT, related_name="+")
    note = models.TextField(null=True)
    metadata = models.JSONField(null=True)

    objects = ReturnItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["of_return", "item"], name="orders_returnitem_taken"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="orders_returnitem_some"),
            models.CheckConstraint(
                condition=Q(
                    quantity__gte=F("received_quantity")
                    + F("damaged_quantity")
                    + F("arrived_quantity")
                    + F("arrived_damaged_quantity")
                ),
                name="orders_returnitem_received",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.item}"
