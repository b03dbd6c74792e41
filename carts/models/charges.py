"""The shipping methods and credit lines of a cart."""

from django.db import models
from django.db.models import Q

from carts.models.carts import Cart, CartPartQuerySet
from carts.models.line_columns import ShippingMethodColumns
from carts.models.line_parts import PromotionAdjustment, TaxColumns
from kit.domain.base_model import BaseModel
from kit.values.ids import IdField
from kit.values.money import MoneyField


class ShippingMethod(ShippingMethodColumns, BaseModel):
    """A chosen shipping option, with its name and price. shipping_option_id: of a row in an app above.

    is_custom_amount: whether staff have set the price of a draft's method, which the option's then does not replace.
    """

    id = IdField(prefix="casm")
    cart = models.ForeignKey(Cart, on_delete=models.CASCADE, related_name="shipping_methods")
    shipping_option_id = models.CharField(max_length=64, null=True, db_index=True)
    is_custom_amount = models.BooleanField(default=False, db_default=False)

    objects = CartPartQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="carts_shippingmethod_not_negative")]


class MethodPartQuerySet(CartPartQuerySet):
    """Rows that belong to a shipping method."""

    cart = "shipping_method__cart__"


class ShippingMethodTaxLine(TaxColumns, BaseModel):
    """A tax on a shipping method, in percent."""

    id = IdField(prefix="casmtxl")
    shipping_method = models.ForeignKey(ShippingMethod, on_delete=models.CASCADE, related_name="tax_lines")

    objects = MethodPartQuerySet.as_manager()


class ShippingMethodAdjustment(PromotionAdjustment, BaseModel):
    """A discount of a promotion on a shipping method. amount: as its price is stated, with tax if is_tax_inclusive."""

    id = IdField(prefix="casmadj")
    shipping_method = models.ForeignKey(ShippingMethod, on_delete=models.CASCADE, related_name="adjustments")
    is_tax_inclusive = models.BooleanField(default=False, db_default=False)

    objects = MethodPartQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="carts_methodadjustment_not_negative")]


class CreditLine(BaseModel):
    """An amount that a gift card or store credit pays: the one with `reference` and `reference_id`.

    most: the largest amount that it may pay; null for the whole balance.
    """

    id = IdField(prefix="cacl")
    cart = models.ForeignKey(Cart, on_delete=models.CASCADE, related_name="credit_lines")
    amount = MoneyField()
    most = MoneyField(null=True)
    reference = models.CharField(max_length=64)
    reference_id = models.CharField(max_length=64)
    metadata = models.JSONField(null=True)

    objects = CartPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cart", "reference", "reference_id"], name="carts_creditline_taken"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="carts_creditline_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} by {self.reference}"
