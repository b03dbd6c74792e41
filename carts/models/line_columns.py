"""The columns that lines and shipping methods of carts and orders share. An order copies those of its cart."""

from django.db import models

from carts.models.kept_totals import LineTotalColumns
from kit.values.ids import new_id
from kit.values.money import MoneyField


def new_detail_id() -> str:
    """A new id for the detail of a line."""
    return new_id("orditem")


class LineColumns(LineTotalColumns):
    """A quantity of one variant, with a copy of its titles and product data from when it was added.

    The counters from fulfilled_quantity on are the line's detail: they change once it is ordered.
    """

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

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.quantity} x {self.title}"


class ShippingMethodColumns(LineTotalColumns):
    """A chosen shipping option, with its name and price."""

    name = models.TextField()
    description = models.TextField(null=True)
    amount = MoneyField()
    is_tax_inclusive = models.BooleanField(default=False)
    data = models.JSONField(null=True)
    metadata = models.JSONField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name
