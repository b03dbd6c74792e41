"""The lines of orders."""

from collections.abc import Sequence
from decimal import Decimal

from rest_framework import serializers

from carts.api.serializers import LineItemSerializer
from carts.api.serializers.taxes import TaxSerializer
from commerce.kit.core.json import JSONObject
from commerce.kit.core.timestamps import isoformat
from commerce.kit.projection.computed import Batch, BatchField, BatchRelation, MoneyValue
from commerce.kit.projection.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from commerce.kit.projection.records import DatedSerializer, DeletableSerializer, MetadataSerializer
from orders.api.serializers.bought_cards import GIFT_CARDS_OF_LINE
from orders.api.serializers.constants import constant
from orders.models import OrderAdjustment, OrderLineItem, OrderTaxLine
from orders.progress import share


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
    metadata = constant(serializers.DictField(allow_null=True), None)
    data = constant(serializers.DictField(allow_null=True), None)  # type: ignore[assignment]  # DRF's own word too
    item = ToOne(_item, key="item_id")

    class Meta:
        model = OrderTaxLine


class OrderAdjustmentSerializer(DatedSerializer, DeletableSerializer):
    """A discount of a promotion on a line, without tax."""

    id = serializers.CharField()
    item_id = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    amount = MoneyValue()
    description = serializers.CharField(allow_null=True)
    promotion_id = serializers.CharField(allow_null=True)
    provider_id = serializers.CharField(allow_null=True)
    is_tax_inclusive = constant(serializers.BooleanField(help_text="Always false."), False)
    item = ToOne(_item, key="item_id")

    class Meta:
        model = OrderAdjustment


class OrderLineItemDetailSerializer(MetadataSerializer, DatedSerializer, DeletableSerializer):
    """How many pieces of a line are fulfilled, shipped, delivered and returned."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    item_id = serializers.CharField()
    version = serializers.IntegerField()
    quantity = serializers.IntegerField(help_text="As it was ordered.")
    unit_price = MoneyValue(allow_null=True, help_text="Null: that of the line.")
    compare_at_unit_price = MoneyValue(allow_null=True, help_text="Null: that of the line.")
    fulfilled_quantity = serializers.IntegerField()
    delivered_quantity = serializers.IntegerField()
    shipped_quantity = serializers.IntegerField()
    return_requested_quantity = serializers.IntegerField()
    return_received_quantity = serializers.IntegerField()
    return_dismissed_quantity = serializers.IntegerField()
    written_off_quantity = serializers.IntegerField()


_COUNTED = (
    *("version", "quantity", "fulfilled_quantity", "delivered_quantity", "shipped_quantity"),
    *("return_requested_quantity", "return_received_quantity", "return_dismissed_quantity", "written_off_quantity"),
)


def _details(batch: Batch) -> Sequence[JSONObject]:
    details: list[JSONObject] = []
    for detail_id, item_id, order_id, metadata, created_at, updated_at, *counters in batch.rows:
        detail: JSONObject = {
            "id": detail_id,
            "item_id": item_id,
            "order_id": order_id,
            "metadata": metadata,
            "unit_price": None,
            "compare_at_unit_price": None,
            "created_at": isoformat(created_at),
            "updated_at": isoformat(updated_at),
            "deleted_at": None,
        }
        detail.update(zip(_COUNTED, counters, strict=True))
        details.append(detail)
    return details


def _worth_of(counter: str) -> BatchField:
    """The amount that the units of this counter make up."""
    return BatchField(
        MoneyValue(),
        columns=(
            "total",
            "quantity",
            "return_received_quantity",
            "return_dismissed_quantity",
            "order__currency_id",
            counter,
        ),
        load=_worth,
    )


def _worth(batch: Batch) -> Sequence[Decimal | int]:
    return [
        share(total, units=units, kept=quantity - received - dismissed, currency_code=currency_code) if units else 0
        for total, quantity, received, dismissed, currency_code, units in batch.rows
    ]


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

    tax_lines = ToMany(_tax_line, key="item_id", inverse="item")
    adjustments = ToMany(_adjustment, key="item_id", inverse="item")
    detail = BatchRelation(  # type: ignore[assignment]  # a cart's line refers to it, an order's holds it
        _detail,
        columns=("detail_id", "id", "order_id", "metadata", "created_at", "updated_at", *_COUNTED),
        load=_details,
    )

    class Meta:
        model = OrderLineItem
