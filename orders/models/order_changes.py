"""Edits of orders: a change, and its actions."""

from django.db import models
from django.db.models import Q

from carts.states import TaxFallback
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from orders.models.orders import Order
from orders.states import ChangeAction, OrderChangeStatus

OPEN_CHANGE = Q(status__in=[OrderChangeStatus.PENDING, OrderChangeStatus.REQUESTED])
"""Changes that can still be confirmed."""


class OrderChangeQuerySet(ResourceQuerySet):
    """Changes, and their actions. Only staff see them."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> "OrderChangeQuerySet":
        """All for staff who may view orders."""
        rows: OrderChangeQuerySet = self if with_deleted else self.not_deleted()
        return rows if actor.may("orders.view_order") else rows.none()


class OrderChange(BaseModel):
    """An edit of an order. Nothing of the order changes until it is confirmed.

    Why: docs/decisions/order-changes.md#an-open-change-blocks-nothing.

    order_version: of the order when the change began. requested: staff have marked it as ready, and nothing more.
    carry_over_promotions: whether the order's promotions apply anew to all lines; otherwise its discounts are kept.
    total_before, total_after: what the order cost before and after it was confirmed.
    created_by, requested_by, confirmed_by, canceled_by: ids of staff users; null where a program acted.
    """

    id = IdField(prefix="ordch")
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="changes")
    status = models.CharField(
        max_length=16, choices=OrderChangeStatus, default=OrderChangeStatus.PENDING, editable=False
    )
    order_version = models.PositiveIntegerField(editable=False)
    description = models.TextField(null=True)
    internal_note = models.TextField(null=True)
    no_notification = models.BooleanField(null=True)
    carry_over_promotions = models.BooleanField(default=False)
    total_before = MoneyField(null=True, editable=False)
    total_after = MoneyField(null=True, editable=False)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    requested_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    requested_at = TimestampField(null=True)
    confirmed_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    confirmed_at = TimestampField(null=True)
    canceled_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    canceled_at = TimestampField(null=True)
    metadata = models.JSONField(null=True)

    objects = OrderChangeQuerySet.as_manager()

    class Meta:
        permissions = [("set_price", "Can set the prices of an order's lines and shipping")]
        indexes = [models.Index(fields=["order", "created_at"], name="orders_change_of_order")]
        constraints = [
            models.UniqueConstraint(fields=["order"], condition=OPEN_CHANGE, name="orders_change_one_open"),
            models.CheckConstraint(condition=Q(status__in=OrderChangeStatus.values), name="orders_change_status"),
            models.CheckConstraint(
                condition=Q(
                    status=OrderChangeStatus.CONFIRMED,
                    confirmed_at__isnull=False,
                    total_before__isnull=False,
                    total_after__isnull=False,
                )
                | (~Q(status=OrderChangeStatus.CONFIRMED) & Q(confirmed_at=None)),
                name="orders_change_confirmed",
            ),
            models.CheckConstraint(
                condition=Q(status=OrderChangeStatus.CANCELED, canceled_at__isnull=False)
                | (~Q(status=OrderChangeStatus.CANCELED) & Q(canceled_at=None)),
                name="orders_change_canceled",
            ),
        ]

    def __str__(self) -> str:
        return f"Change of {self.order}"


class OrderChangeAction(BaseModel):
    """One step of a change.

    line_id: of the order's line; of a line to come, the id that it will have. method_id: the same of a shipping method.
    quantity: of the line after the change; 0 removes it. quantity_before: of the order's line.
    unit_price: of an added line, or the new price of a line; null keeps it. amount: of a shipping method.
    is_custom: whether staff have set the price. taxes: what applies to an added line or method, as `ApplicableTax`s.
    taxed_at: when a tax provider was asked for these; null without one. tax_fallback: why the shop's own rates apply.
    exempt_rate: of an exempt order, the sum of the rates that would apply, in 1/10,000 percent.
    described: the columns of an added line or method that the catalogue gave it; of a changed line, its `title`.
    Why: docs/decisions/order-changes.md#an-added-line-keeps-its-price-and-taxes.
    """

    id = IdField(prefix="ordchact")
    change = models.ForeignKey(OrderChange, on_delete=models.CASCADE, related_name="actions")
    ordering = models.PositiveIntegerField()
    action = models.CharField(max_length=16, choices=ChangeAction)
    line_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    method_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    variant_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    shipping_option_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    quantity = models.PositiveIntegerField(null=True)
    quantity_before = models.PositiveIntegerField(default=0)
    unit_price = MoneyField(null=True)
    compare_at_unit_price = MoneyField(null=True)
    amount = MoneyField(null=True)
    is_custom = models.BooleanField(default=False)
    is_tax_inclusive = models.BooleanField(default=False)
    taxes = models.JSONField(default=list)
    taxed_at = TimestampField(null=True)
    tax_fallback = models.CharField(max_length=16, choices=TaxFallback, null=True)
    exempt_rate = models.PositiveIntegerField(null=True)
    described = models.JSONField(default=dict)
    description = models.TextField(null=True)
    internal_note = models.TextField(null=True)
    metadata = models.JSONField(null=True)

    objects = OrderChangeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["change", "ordering"], name="orders_changeaction_place"),
            models.UniqueConstraint(fields=["change", "line_id"], name="orders_changeaction_line"),
            models.CheckConstraint(condition=Q(action__in=ChangeAction.values), name="orders_changeaction_kind"),
            models.CheckConstraint(
                condition=Q(action=ChangeAction.SHIPPING_ADD, line_id=None, method_id__isnull=False, amount__gte=0)
                | (
                    ~Q(action=ChangeAction.SHIPPING_ADD)
                    & Q(line_id__isnull=False, method_id=None, quantity__isnull=False)
                    & (Q(unit_price=None) | Q(unit_price__gte=0))
                ),
                name="orders_changeaction_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} of {self.change_id}"
