"""The lines of an order, with their taxes and discounts: copies of the cart's."""

from django.db import models
from django.db.models import F, Q

from carts.models.kept_totals import KeptTotal
from carts.models.line_columns import LineColumns
from carts.models.line_parts import AdjustmentColumns, StatedColumns, TaxColumns
from kit.domain.base_model import BaseModel
from kit.values.ids import ID_MAX_LENGTH, IdField
from orders.models.orders import Order, OrderPartQuerySet


class OrderLineItem(LineColumns, BaseModel):
    """A line. Its id is that of the cart's line under its own prefix.

    variant_id, product_id: of the rows it was bought as, which may be gone.
    total, subtotal and the like: of the units that were not returned (orders/returns/totals.py).
    placed_total: `total` as it was placed.
    return_agreed_quantity: of the units whose return is requested, those of exchanges and claims, which count at once.
    written_off_quantity: of the dismissed units, those of claims that stay with the customer or never came.
    """

    id = IdField(prefix="ordli")
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="items")
    variant_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    product_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, db_index=True)
    is_custom_price = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    placed_total = KeptTotal()
    return_agreed_quantity = models.PositiveIntegerField(default=0, db_default=0)

    objects = OrderPartQuerySet.as_manager()

    class Meta:
        # All columns of a line that orders/reports/sales reads
        indexes = [
            models.Index(
                fields=["created_at", "order", "product_id", "quantity", "placed_total"],
                condition=Q(deleted_at=None),
                name="orders_line_sold",
            )
        ]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="orders_line_some"),
            models.CheckConstraint(condition=Q(unit_price__gte=0), name="orders_line_price"),
            models.CheckConstraint(
                condition=Q(fulfilled_quantity__lte=F("quantity"))
                & Q(shipped_quantity__lte=F("fulfilled_quantity"))
                & Q(delivered_quantity__lte=F("fulfilled_quantity")),
                name="orders_line_fulfilled",
            ),
            models.CheckConstraint(
                condition=Q(
                    fulfilled_quantity__gte=F("return_requested_quantity")
                    + F("return_received_quantity")
                    + F("return_dismissed_quantity")
                ),
                name="orders_line_returned",
            ),
            models.CheckConstraint(
                condition=Q(return_agreed_quantity__lte=F("return_requested_quantity"))
                & Q(written_off_quantity__lte=F("return_dismissed_quantity")),
                name="orders_line_agreed",
            ),
        ]


class ItemPartQuerySet(OrderPartQuerySet):
    """Rows that belong to a line."""

    order = "item__order__"


class OrderTaxLine(TaxColumns, BaseModel):
    """A tax on a line, in percent."""

    id = IdField(prefix="ordlitxl")
    item = models.ForeignKey(OrderLineItem, on_delete=models.CASCADE, related_name="tax_lines")

    objects = ItemPartQuerySet.as_manager()


class OrderAdjustment(AdjustmentColumns, StatedColumns, BaseModel):
    """A discount of a promotion on a line. promotion_id: of a promotion that may be gone."""

    id = IdField(prefix="ordliadj")
    item = models.ForeignKey(OrderLineItem, on_delete=models.CASCADE, related_name="adjustments")
    promotion_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    provider_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)

    objects = ItemPartQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="orders_adjustment_not_negative")]
