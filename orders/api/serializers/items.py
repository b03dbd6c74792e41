"""The lines of orders."""

from rest_framework import serializers

from carts.api.serializers import LineItemSerializer
from carts.api.serializers.adjustments import includes_tax, stated_amount
from carts.api.serializers.taxes import TaxSerializer
from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField, RowObject
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, MetadataSerializer
from kit.values.money import major, rounded, stored
from orders.api.serializers.bought_cards import GIFT_CARDS_OF_LINE
from orders.models import OrderAdjustment, OrderLineItem, OrderTaxLine


def _item() -> ResourceSerializerClass:
    return OrderLineItemSerializer


def _detail() -> ResourceSerializerClass:
    return OrderLineItemDetailSerializer


def _tax_line() -> ResourceSerializerClass:
    return OrderTaxLineSerializer


def _adjustment() -> ResourceSerializerClass:
    return OrderAdjustmentSerializer


class OrderTaxLineSerializer(TaxSerializer, DeletableSerializer):
    """A tax on a line, as it was when the order was placed."""

    id = serializers.CharField()
    item_id = serializers.CharField()
    metadata = ConstantField(serializers.DictField(allow_null=True), value=None)
    data = ConstantField(serializers.DictField(allow_null=True), value=None)  # type: ignore[assignment]  # DRF's own word too
    item = ToOne(_item, key="item_id")

    class Meta:
        model = OrderTaxLine


class OrderAdjustmentSerializer(DatedSerializer, DeletableSerializer):
    """A discount of a promotion on a line."""

    id = serializers.CharField()
    item_id = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    amount = stated_amount("item__placed_total")
    description = serializers.CharField(allow_null=True)
    promotion_id = serializers.CharField(allow_null=True)
    provider_id = serializers.CharField(allow_null=True)
    is_tax_inclusive = includes_tax("item__placed_total")
    item = ToOne(_item, key="item_id")

    class Meta:
        model = OrderAdjustment


class OrderLineItemDetailSerializer(MetadataSerializer, DatedSerializer, DeletableSerializer):
    """How many pieces of a line are fulfilled, shipped, delivered and returned."""

    id = serializers.CharField(source="detail_id")
    order_id = serializers.CharField()
    item_id = serializers.CharField(source="id")
    version = serializers.IntegerField()
    quantity = serializers.IntegerField(help_text="As it was ordered.")
    unit_price = ConstantField(MoneyValue(allow_null=True), value=None, help_text="Null: that of the line.")
    compare_at_unit_price = ConstantField(MoneyValue(allow_null=True), value=None, help_text="Null: that of the line.")
    fulfilled_quantity = serializers.IntegerField()
    delivered_quantity = serializers.IntegerField()
    shipped_quantity = serializers.IntegerField()
    return_requested_quantity = serializers.IntegerField()
    return_received_quantity = serializers.IntegerField()
    return_dismissed_quantity = serializers.IntegerField()
    written_off_quantity = serializers.IntegerField()


def _worth_of(counter: str) -> RowField:
    """What the units of this counter were worth when the order was placed."""
    columns = (counter, "placed_total", "quantity", "order__currency_id")
    return RowField(MoneyValue(), columns=columns, compute=_worth)


def _worth(units: int, placed_total: int, quantity: int, currency_code: str) -> int:
    if not units:
        return 0
    return stored(rounded(major(placed_total) * units / quantity, currency_code))


class OrderedUnitsSerializer(ResourceSerializer):
    """What a line has besides the fields of a cart's line."""

    order_id = serializers.CharField()
    is_custom_price = serializers.BooleanField()
    line_item_metadata = serializers.DictField(source="metadata", allow_null=True, help_text="The same as metadata.")
    fulfilled_total = _worth_of("fulfilled_quantity")
    shipped_total = _worth_of("shipped_quantity")
    return_requested_total = _worth_of("return_requested_quantity")
    return_received_total = _worth_of("return_received_quantity")
    return_dismissed_total = _worth_of("return_dismissed_quantity")
    write_off_total = _worth_of("written_off_quantity")
    gift_cards = GIFT_CARDS_OF_LINE


class OrderLineItemSerializer(LineItemSerializer, OrderedUnitsSerializer, DeletableSerializer):
    """A quantity of one variant, as the catalogue described it when it was bought.

    `variant` and `product` are those of today's catalogue; null once they are no longer sold.
    """

    DISCOUNTED = ("discount_total", "return_received_quantity", "return_dismissed_quantity")
    """What is returned leaves the amounts of a line, and the discounts stay."""

    tax_lines = ToMany(_tax_line, key="item_id", inverse="item")
    adjustments = ToMany(_adjustment, key="item_id", inverse="item", present_if=DISCOUNTED)
    detail = RowObject(_detail)  # type: ignore[assignment]  # a cart's line refers to it, an order's holds it

    class Meta:
        model = OrderLineItem
