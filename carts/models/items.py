"""The lines of a cart, with their taxes and discounts."""

from django.db import models
from django.db.models import Q

from carts.models.carts import Cart, CartPartQuerySet
from carts.models.kept_totals import LineTotalColumns
from carts.models.line_parts import AdjustmentColumns, TaxColumns
from catalog.models import Product, ProductVariant
from commerce.kit.core.base_model import BaseModel
from commerce.kit.core.ids import IdField, new_id
from commerce.kit.core.money import MoneyField


def new_detail_id() -> str:
    """A new id for the detail of a line."""
    return new_id("orditem")


class LineItem(LineTotalColumns, BaseModel):
    """A quantity of one variant, with a copy of its titles and product data from when it was added.

    The counters from fulfilled_quantity on are the line's detail: they change once it is ordered.
    """

    id = IdField(prefix="cali")
    cart = models.ForeignKey(Cart, on_delete=models.CASCADE, related_name="items")
    variant = models.ForeignKey(ProductVariant, null=True, on_delete=models.SET_NULL, related_name="+")
    product = models.ForeignKey(Product, null=True, on_delete=models.SET_NULL, related_name="+")
    title = models.TextField()
    subtitle = models.TextField(null=True)
    thumbnail = models.TextField(null=True)
    product_title = models.TextField(null=True)
    product_description = models.TextField(null=True)
    product_subtitle = models.TextField(null=True)
    product_type = models.TextField(null=True)
    product_type_id = models.CharField(max_length=64, null=True)
    product_collection = models.TextField(null=True)
    product_handle = models.TextField(null=True)
    variant_sku = models.TextField(null=True)
    variant_barcode = models.TextField(null=True)
    variant_title = models.TextField(null=True)
    variant_option_values = models.JSONField(null=True)
    requires_shipping = models.BooleanField(default=True)
    is_discountable = models.BooleanField(default=True)
    is_giftcard = models.BooleanField(default=False)
    is_tax_inclusive = models.BooleanField(default=False)
    compare_at_unit_price = MoneyField(null=True)
    unit_price = MoneyField()
    quantity = models.PositiveIntegerField()
    metadata = models.JSONField(null=True)
    detail_id = models.CharField(max_length=64, default=new_detail_id, unique=True)
    fulfilled_quantity = models.PositiveIntegerField(default=0)
    delivered_quantity = models.PositiveIntegerField(default=0)
    shipped_quantity = models.PositiveIntegerField(default=0)
    return_requested_quantity = models.PositiveIntegerField(default=0)
    return_received_quantity = models.PositiveIntegerField(default=0)
    return_dismissed_quantity = models.PositiveIntegerField(default=0)
    written_off_quantity = models.PositiveIntegerField(default=0)

    objects = CartPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="carts_lineitem_some"),
            models.CheckConstraint(condition=Q(unit_price__gte=0), name="carts_lineitem_price"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.title}"


class ItemPartQuerySet(CartPartQuerySet):
    """Rows that belong to a line."""

    cart = "item__cart__"


class TaxLine(TaxColumns, BaseModel):
    """A tax on a line, in percent."""

    id = IdField(prefix="calitxl")
    item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="tax_lines")

    objects = ItemPartQuerySet.as_manager()


class Adjustment(AdjustmentColumns, BaseModel):
    """A discount of a promotion on a line, before tax."""

    id = IdField(prefix="caliadj")
    item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="adjustments")
    provider_id = models.CharField(max_length=64, null=True)
    order_id = models.CharField(max_length=64, null=True)  # of a row in an app above

    objects = ItemPartQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="carts_adjustment_not_negative")]
