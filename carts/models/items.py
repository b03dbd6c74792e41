"""The lines of a cart, with their taxes and discounts."""

from django.db import models
from django.db.models import Q

from carts.models.carts import Cart, CartPartQuerySet
from carts.models.line_columns import LineColumns
from carts.models.line_parts import PromotionAdjustment, StatedColumns, TaxColumns
from catalog.models import Product, ProductVariant
from kit.domain.base_model import BaseModel
from kit.values.ids import IdField


class LineItem(LineColumns, BaseModel):
    """A quantity of one variant, with a copy of its titles and product data from when it was added.

    is_custom_price: whether staff have set the price of a draft's line, which the catalogue's then does not replace.
    Such a line can also be without a variant: it has a title alone.
    """

    id = IdField(prefix="cali")
    cart = models.ForeignKey(Cart, on_delete=models.CASCADE, related_name="items")
    variant = models.ForeignKey(ProductVariant, null=True, on_delete=models.SET_NULL, related_name="+")
    product = models.ForeignKey(Product, null=True, on_delete=models.SET_NULL, related_name="+")
    is_custom_price = models.BooleanField(default=False, db_default=False)

    objects = CartPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="carts_lineitem_some"),
            models.CheckConstraint(condition=Q(unit_price__gte=0), name="carts_lineitem_price"),
        ]


class ItemPartQuerySet(CartPartQuerySet):
    """Rows that belong to a line."""

    cart = "item__cart__"


class TaxLine(TaxColumns, BaseModel):
    """A tax on a line, in percent."""

    id = IdField(prefix="calitxl")
    item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="tax_lines")

    objects = ItemPartQuerySet.as_manager()


class Adjustment(PromotionAdjustment, StatedColumns, BaseModel):
    """A discount of a promotion on a line."""

    id = IdField(prefix="caliadj")
    item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="adjustments")
    provider_id = models.CharField(max_length=64, null=True)
    order_id = models.CharField(max_length=64, null=True)  # of a row in an app above

    objects = ItemPartQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="carts_adjustment_not_negative")]
