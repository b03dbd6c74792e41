"""Changes of orders, and of drafts: edits, exchanges and claims, with their actions."""

from django.db import models
from django.db.models import Q

from carts.models import Cart
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from orders.models.orders import Order
from orders.models.return_reasons import ReturnReason
from orders.states import ChangeAction, ChangeKind, ClaimReason, ClaimType, OrderChangeStatus
from shop.models import StockLocation

OPEN_CHANGE = Q(status__in=[OrderChangeStatus.PENDING, OrderChangeStatus.REQUESTED])
"""Changes that can still be confirmed."""
_OF_GOODS = Q(kind__in=[ChangeKind.EXCHANGE, ChangeKind.CLAIM])


class OrderChangeQuerySet(ResourceQuerySet):
    """Changes, and their actions. Only staff see them."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> "OrderChangeQuerySet":
        """All for staff who may view orders."""
        rows: OrderChangeQuerySet = self if with_deleted else self.not_deleted()
        return rows if actor.may("orders.view_order") else rows.none()


class OrderChange(BaseModel):
    """A change of an order, or of a draft. Nothing of that changes until it is confirmed.

    Why: docs/decisions/order-changes.md#an-open-change-blocks-nothing.

    order: null of a draft's change, which has a cart instead. display_id: counts the exchanges of the order, or its
        claims. reason: of a claim. location: where the units of an exchange or a claim come back to.
    order_version: of the order when the change began. requested: staff have marked it as ready, and nothing more.
        An exchange or a claim is confirmed by its request.
    carry_over_promotions: whether the order's promotions apply anew to all lines; otherwise its discounts are kept.
    total_before, total_after: what the order cost before and after it was confirmed.
    created_by, requested_by, confirmed_by, canceled_by: ids of staff users; null where a program acted.
    confirmed_at: stays when a confirmed exchange or claim is canceled.
    """

    id = IdField(prefix="ordch")
    kind = models.CharField(
        max_length=8,
        choices=ChangeKind,
        default=ChangeKind.EDIT,
        db_default=ChangeKind.EDIT.value,
        editable=False,
    )
    order = models.ForeignKey(Order, null=True, on_delete=models.CASCADE, related_name="changes")
    cart = models.ForeignKey(Cart, null=True, on_delete=models.CASCADE, related_name="changes")
    claim_type = models.CharField(max_length=8, choices=ClaimType, null=True, editable=False)
    display_id = models.PositiveIntegerField(null=True, editable=False)
    reason = models.ForeignKey(ReturnReason, null=True, on_delete=models.PROTECT, related_name="+")
    location = models.ForeignKey(StockLocation, null=True, on_delete=models.PROTECT, related_name="+")
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
            models.UniqueConstraint(fields=["cart"], condition=OPEN_CHANGE, name="orders_change_one_open_of_cart"),
            models.UniqueConstraint(
                fields=["order", "kind", "display_id"], condition=_OF_GOODS, name="orders_change_number"
            ),
            models.CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="orders_change_kind"),
            models.CheckConstraint(
                condition=Q(kind=ChangeKind.DRAFT, order=None, cart__isnull=False)
                | (~Q(kind=ChangeKind.DRAFT) & Q(order__isnull=False, cart=None)),
                name="orders_change_owner",
            ),
            models.CheckConstraint(
                condition=Q(kind=ChangeKind.CLAIM, claim_type__isnull=False, claim_type__in=ClaimType.values)
                | (~Q(kind=ChangeKind.CLAIM) & Q(claim_type=None)),
                name="orders_change_claim_type",
            ),
            models.CheckConstraint(
                condition=_OF_GOODS & Q(display_id__isnull=False) | ~_OF_GOODS & Q(display_id=None),
                name="orders_change_numbered",
            ),
            models.CheckConstraint(condition=Q(status__in=OrderChangeStatus.values), name="orders_change_status"),
            models.CheckConstraint(
                condition=Q(
                    status=OrderChangeStatus.CONFIRMED,
                    confirmed_at__isnull=False,
                    total_before__isnull=False,
                    total_after__isnull=False,
                )
                | (_OF_GOODS & Q(status=OrderChangeStatus.CANCELED))
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
        return f"Change of {self.order or self.cart}"


_ABOUT_LINE = Q(line_id__isnull=False, quantity__isnull=False, method_id=None, code=None, is_inbound=False)
_ABOUT_METHOD = Q(method_id__isnull=False, line_id=None, code=None)
_ABOUT = (
    Q(action__in=[ChangeAction.ITEM_ADD, ChangeAction.ITEM_UPDATE])
    & _ABOUT_LINE
    & (Q(unit_price=None) | Q(unit_price__gte=0))
    | Q(action__in=[ChangeAction.RETURN_ITEM, ChangeAction.WRITE_OFF_ITEM], quantity__gte=1) & _ABOUT_LINE
    | Q(action__in=[ChangeAction.SHIPPING_ADD, ChangeAction.SHIPPING_UPDATE], amount__gte=0) & _ABOUT_METHOD
    | Q(action=ChangeAction.SHIPPING_REMOVE) & _ABOUT_METHOD
    | Q(action__in=[ChangeAction.PROMOTION_ADD, ChangeAction.PROMOTION_REMOVE])
    & Q(code__isnull=False, line_id=None, method_id=None, is_inbound=False)
)


class OrderChangeAction(BaseModel):
    """One step of a change.

    line_id: of the order's line; of a line to come, the id that it will have. method_id: the same of a shipping method.
    quantity: of the line after the change; 0 removes it. Of a returned or written off line, those units.
    quantity_before: of the order's line. code: of a promotion. title: of a draft's line without a variant.
    unit_price: of an added line, or the new price of a line; null keeps it. amount: of a shipping method.
    is_inbound: whether the shipping method brings units back. reason: of returned units; claim_reason: of claimed ones.
    replaces: of a claim's added line, the order's line with the same variant, whose price and discounts it takes.
    is_custom: whether staff have set the price. taxes: what applies to an added line or method, as `ApplicableTax`s.
    exempt_rate: of an exempt order, the sum of the rates that would apply, in 1/10,000 percent.
    described: the columns of an added line or method that the catalogue gave it; of a changed line, its `title`.
    Why: docs/decisions/order-changes.md#an-added-line-keeps-its-price-and-taxes.
    """

    id = IdField(prefix="ordchact")
    change = models.ForeignKey(OrderChange, on_delete=models.CASCADE, related_name="actions")
    ordering = models.PositiveIntegerField()
    action = models.CharField(max_length=16, choices=ChangeAction)
    line_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    replaces = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    method_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    variant_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    shipping_option_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    is_inbound = models.BooleanField(default=False, db_default=False)
    code = models.CharField(max_length=255, null=True)
    title = models.TextField(null=True)
    reason = models.ForeignKey(ReturnReason, null=True, on_delete=models.PROTECT, related_name="+")
    claim_reason = models.CharField(max_length=20, choices=ClaimReason, null=True)
    quantity = models.PositiveIntegerField(null=True)
    quantity_before = models.PositiveIntegerField(default=0)
    unit_price = MoneyField(null=True)
    compare_at_unit_price = MoneyField(null=True)
    amount = MoneyField(null=True)
    is_custom = models.BooleanField(default=False)
    is_tax_inclusive = models.BooleanField(default=False)
    taxes = models.JSONField(default=list)
    exempt_rate = models.PositiveIntegerField(null=True)
    described = models.JSONField(default=dict)
    description = models.TextField(null=True)
    internal_note = models.TextField(null=True)
    metadata = models.JSONField(null=True)

    objects = OrderChangeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["change", "ordering"], name="orders_changeaction_place"),
            models.UniqueConstraint(
                fields=["change", "action", "line_id"],
                condition=Q(line_id__isnull=False),
                name="orders_changeaction_line",
            ),
            models.CheckConstraint(condition=Q(action__in=ChangeAction.values), name="orders_changeaction_kind"),
            models.CheckConstraint(
                condition=Q(claim_reason=None)
                | Q(action=ChangeAction.WRITE_OFF_ITEM, claim_reason__in=ClaimReason.values),
                name="orders_changeaction_claim_reason",
            ),
            models.CheckConstraint(condition=_ABOUT, name="orders_changeaction_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.action} of {self.change_id}"
