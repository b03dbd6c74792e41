"""The shipping methods, credit lines, promotions and transactions of an order."""

from django.db import models
from django.db.models import Q

from carts.models.line_columns import ShippingMethodColumns
from carts.models.line_parts import AdjustmentColumns, TaxColumns
from carts.states import Allocation, PromotionKind, PromotionTarget, PromotionType
from kit.domain.base_model import BaseModel, unique_unless_deleted
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now
from orders.models.orders import Order, OrderPartQuerySet, OrderRecordQuerySet
from orders.states import TransactionReference
from shop.models import Currency


class OrderShippingMethod(ShippingMethodColumns, BaseModel):
    """A shipping method, copied from the cart or added by a return. shipping_option_id: the row may be deleted.

    order: null until the return is requested. is_custom_amount: whether staff have set the price.
    """

    id = IdField(prefix="ordsm")
    order = models.ForeignKey(Order, null=True, on_delete=models.CASCADE, related_name="shipping_methods")
    of_return = models.ForeignKey(
        "orders.Return", null=True, on_delete=models.CASCADE, related_name="shipping_methods", db_column="return_id"
    )
    shipping_option_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    is_custom_amount = models.BooleanField(default=False)

    objects = OrderPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=0), name="orders_shippingmethod_not_negative"),
            models.CheckConstraint(
                condition=Q(order__isnull=False) | Q(of_return__isnull=False), name="orders_shippingmethod_belongs"
            ),
            unique_unless_deleted("of_return", name="orders_shippingmethod_of_return"),
        ]


class MethodPartQuerySet(OrderPartQuerySet):
    """Rows that belong to a shipping method."""

    order = "shipping_method__order__"


class OrderShippingMethodTaxLine(TaxColumns, BaseModel):
    """A tax on a shipping method, in percent."""

    id = IdField(prefix="ordsmtxl")
    shipping_method = models.ForeignKey(OrderShippingMethod, on_delete=models.CASCADE, related_name="tax_lines")

    objects = MethodPartQuerySet.as_manager()


class OrderShippingMethodAdjustment(AdjustmentColumns, BaseModel):
    """A discount of a promotion on a shipping method. amount: as its price is stated, with tax if is_tax_inclusive."""

    id = IdField(prefix="ordsmadj")
    shipping_method = models.ForeignKey(OrderShippingMethod, on_delete=models.CASCADE, related_name="adjustments")
    is_tax_inclusive = models.BooleanField(default=False, db_default=False)
    promotion_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)

    objects = MethodPartQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="orders_methodadjustment_not_negative")]


class OrderCreditLine(BaseModel):
    """What a gift card or store credit paid: the one with `reference` and `reference_id`."""

    id = IdField(prefix="ordcl")
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="credit_lines")
    amount = MoneyField()
    reference = models.CharField(max_length=64)
    reference_id = models.CharField(max_length=ID_MAX_LENGTH)
    version = models.PositiveIntegerField(default=1)
    metadata = models.JSONField(null=True)

    objects = OrderPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["order", "reference", "reference_id"], name="orders_creditline_taken"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="orders_creditline_amount"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} by {self.reference}"


class OrderPromotion(models.Model):
    """A promotion that the order used, as it was. promotion_id: of a row that may be gone.

    code: as the customer entered it. target, allocation, max_quantity and the like: see carts.models.Promotion.
    rules: what it applied to, as objects with kind, attribute, operator and values; null of older orders.
    """

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="promotions")
    promotion_id = models.CharField(max_length=ID_MAX_LENGTH)
    code = models.CharField(max_length=255)
    is_automatic = models.BooleanField()
    type = models.CharField(max_length=16, choices=PromotionType)
    target = models.CharField(max_length=16, choices=PromotionTarget)
    value = MoneyField()
    currency_code = models.CharField(max_length=3, null=True)
    is_tax_inclusive = models.BooleanField(default=False, db_default=False)
    kind = models.CharField(
        max_length=16, choices=PromotionKind, default=PromotionKind.STANDARD, db_default=PromotionKind.STANDARD.value
    )
    allocation = models.CharField(max_length=8, choices=Allocation, null=True)
    max_quantity = models.PositiveIntegerField(null=True)
    buy_rules_min_quantity = models.PositiveIntegerField(null=True)
    apply_to_quantity = models.PositiveIntegerField(null=True)
    priority = models.SmallIntegerField(default=0, db_default=0)
    rules = models.JSONField(null=True)

    objects = OrderRecordQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["order", "promotion_id"], name="orders_promotion_taken")]

    def __str__(self) -> str:
        return self.code


class OrderTransaction(models.Model):
    """Money that was captured for an order, or refunded (a negative amount); each capture and refund counts once.

    reference_id: of the capture or refund.
    """

    id = IdField(prefix="ordtrx")
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="transactions")
    amount = MoneyField()
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    reference = models.CharField(max_length=16, choices=TransactionReference)
    reference_id = models.CharField(max_length=ID_MAX_LENGTH)
    version = models.PositiveIntegerField(default=1)
    created_at = TimestampField(default=now, editable=False)

    objects = OrderRecordQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "reference_id"], name="orders_transaction_once"),
            models.CheckConstraint(
                condition=Q(reference=TransactionReference.CAPTURE, amount__gt=0)
                | Q(reference=TransactionReference.REFUND, amount__lt=0),
                name="orders_transaction_sign",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} {self.amount}"
