"""The order's line that a gift card was bought as, for those who hold the card. It does not name the order."""

from collections.abc import Sequence

from rest_framework import serializers

from carts.api.serializers import LineItemSerializer
from carts.api.serializers.items import LineItemDetailSerializer
from kit.reads.declarations.computed import Batch, BatchField
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from orders.api.serializers.items import OrderAdjustmentSerializer, OrderTaxLineSerializer
from orders.models import GiftCardLineItem


def _line_item() -> ResourceSerializerClass:
    return GiftCardLineItemSerializer


def _detail() -> ResourceSerializerClass:
    return GiftCardLineItemDetailSerializer


def _tax_line() -> ResourceSerializerClass:
    return OrderTaxLineSerializer


def _adjustment() -> ResourceSerializerClass:
    return GiftCardLineItemAdjustmentSerializer


def _order_ids(batch: Batch) -> Sequence[str]:
    return [order_id for (order_id,) in batch.rows]


class GiftCardLineItemAdjustmentSerializer(OrderAdjustmentSerializer):
    """A discount of a promotion on a line that gift cards were bought as."""

    order_id = BatchField(serializers.CharField(), columns=("item__order_id",), load=_order_ids)


class GiftCardLineItemDetailSerializer(LineItemDetailSerializer):
    """How many pieces of a line that gift cards were bought as are fulfilled, delivered and returned."""

    item = ToOne(_line_item, key="id")

    class Meta:
        model = GiftCardLineItem


class GiftCardLineItemSerializer(LineItemSerializer):
    """The line that a gift card was bought as. Only callers who may see its order see taxes and adjustments."""

    tax_lines = ToMany(_tax_line, key="item_id", inverse="item")
    adjustments = ToMany(_adjustment, key="item_id", inverse="item", present_if=("discount_subtotal",))
    detail = ToOne(_detail, key="id")

    class Meta:
        model = GiftCardLineItem


LINE_ITEM_OF_GIFT_CARD = ToOne(_line_item, key="line_item_id", allow_null=True)
"""The relation that the gift card's serializer gets."""
