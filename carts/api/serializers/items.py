"""The lines of carts."""

from rest_framework import serializers

from carts.api.serializers.adjustments import includes_tax, stated_amount
from carts.api.serializers.taxes import TaxSerializer
from carts.api.serializers.totals import TotalsSerializer
from carts.models import Adjustment, LineItem, TaxLine
from catalog.api.serializers import ProductSerializer, ProductVariantSerializer
from kit.reads.declarations.computed import MoneyValue, PictureAddress
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer


def _item() -> ResourceSerializerClass:
    return LineItemSerializer


def _detail() -> ResourceSerializerClass:
    return LineItemDetailSerializer


def _tax_line() -> ResourceSerializerClass:
    return TaxLineSerializer


def _adjustment() -> ResourceSerializerClass:
    return AdjustmentSerializer


def _product() -> ResourceSerializerClass:
    return ProductSerializer


def _variant() -> ResourceSerializerClass:
    return ProductVariantSerializer


class TaxLineSerializer(TaxSerializer):
    """A tax on a line. `total` is the tax after promotions, `subtotal` the tax before them."""

    id = serializers.CharField()
    item_id = serializers.CharField()
    item = ToOne(_item, key="item_id")

    class Meta:
        model = TaxLine


class AdjustmentSerializer(DatedSerializer):
    """A discount of a promotion on a line."""

    id = serializers.CharField()
    item_id = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    amount = stated_amount("item__total")
    is_tax_inclusive = includes_tax("item__total")
    order_id = serializers.CharField(allow_null=True)
    description = serializers.CharField(allow_null=True)
    promotion_id = serializers.CharField(allow_null=True)
    provider_id = serializers.CharField(allow_null=True)
    item = ToOne(_item, key="item_id")

    class Meta:
        model = Adjustment


class LineItemDetailSerializer(MetadataSerializer, DatedSerializer):
    """The progress of an ordered line: how many pieces are fulfilled, delivered, returned."""

    id = serializers.CharField(source="detail_id")
    item_id = serializers.CharField(source="id")
    quantity = serializers.IntegerField()
    fulfilled_quantity = serializers.IntegerField()
    delivered_quantity = serializers.IntegerField()
    shipped_quantity = serializers.IntegerField()
    return_requested_quantity = serializers.IntegerField()
    return_received_quantity = serializers.IntegerField()
    return_dismissed_quantity = serializers.IntegerField()
    written_off_quantity = serializers.IntegerField()
    item = ToOne(_item, key="id")

    class Meta:
        model = LineItem


class LineItemSerializer(MetadataSerializer, TotalsSerializer, DatedSerializer):
    """A quantity of one variant, as the catalogue described it when it was added."""

    id = serializers.CharField()
    title = serializers.CharField()
    subtitle = serializers.CharField(allow_null=True)
    thumbnail = PictureAddress(allow_null=True)
    variant_id = serializers.CharField(allow_null=True)
    product_id = serializers.CharField(allow_null=True)
    product_title = serializers.CharField(allow_null=True)
    product_description = serializers.CharField(allow_null=True)
    product_subtitle = serializers.CharField(allow_null=True)
    product_type = serializers.CharField(allow_null=True)
    product_type_id = serializers.CharField(allow_null=True)
    product_collection = serializers.CharField(allow_null=True)
    product_handle = serializers.CharField(allow_null=True)
    variant_sku = serializers.CharField(allow_null=True)
    variant_barcode = serializers.CharField(allow_null=True)
    variant_title = serializers.CharField(allow_null=True)
    variant_option_values = serializers.DictField(allow_null=True, help_text="Option values by option title.")
    requires_shipping = serializers.BooleanField()
    is_discountable = serializers.BooleanField()
    is_giftcard = serializers.BooleanField()
    is_tax_inclusive = serializers.BooleanField(help_text="Whether unit_price includes tax.")
    compare_at_unit_price = MoneyValue(allow_null=True, help_text="The price before the sale.")
    unit_price = MoneyValue()
    quantity = serializers.IntegerField()
    item_total = MoneyValue(source="total")
    item_subtotal = MoneyValue(source="subtotal")
    item_tax_total = MoneyValue(source="tax_total")
    refundable_total = MoneyValue()
    refundable_total_per_unit = MoneyValue(help_text="What the next unit refunds; units may differ by a cent.")
    tax_lines = ToMany(_tax_line, key="item_id", inverse="item")
    adjustments = ToMany(_adjustment, key="item_id", inverse="item", present_if=("discount_total",))
    detail = ToOne(_detail, key="id")
    variant = ToOne(_variant, key="variant_id", allow_null=True)
    product = ToOne(_product, key="product_id", allow_null=True)

    class Meta:
        model = LineItem
