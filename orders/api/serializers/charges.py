"""The shipping methods, credit lines and promotions of orders."""

from collections.abc import Sequence

from rest_framework import serializers

from carts.api.serializers import CreditLineSerializer, ShippingMethodSerializer
from carts.api.serializers.promotions import ApplicationMethodSerializer, load_application_methods
from carts.api.serializers.taxes import TaxSerializer
from commerce.kit.core.json import JSONObject
from commerce.kit.core.timestamps import isoformat
from commerce.kit.projection.computed import Batch, BatchRelation, MoneyValue
from commerce.kit.projection.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from commerce.kit.projection.records import DatedSerializer, DeletableSerializer
from orders.api.serializers.constants import constant
from orders.models import (
    OrderCreditLine,
    OrderPromotion,
    OrderShippingMethod,
    OrderShippingMethodAdjustment,
    OrderShippingMethodTaxLine,
)


def _tax_line() -> ResourceSerializerClass:
    return OrderShippingMethodTaxLineSerializer


def _adjustment() -> ResourceSerializerClass:
    return OrderShippingMethodAdjustmentSerializer


def _detail() -> ResourceSerializerClass:
    return OrderShippingMethodDetailSerializer


def _application_method() -> ResourceSerializerClass:
    return ApplicationMethodSerializer


class OrderShippingMethodTaxLineSerializer(TaxSerializer, DeletableSerializer):
    """A tax on a shipping method, as it was when the order was placed."""

    id = serializers.CharField()
    shipping_method_id = serializers.CharField()
    metadata = constant(serializers.DictField(allow_null=True), None)
    data = constant(serializers.DictField(allow_null=True), None)  # type: ignore[assignment]  # DRF's own word too

    class Meta:
        model = OrderShippingMethodTaxLine


class OrderShippingMethodAdjustmentSerializer(DatedSerializer, DeletableSerializer):
    """A discount of a promotion on a shipping method, without tax."""

    id = serializers.CharField()
    shipping_method_id = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    amount = MoneyValue()
    description = serializers.CharField(allow_null=True)
    promotion_id = serializers.CharField(allow_null=True)

    class Meta:
        model = OrderShippingMethodAdjustment


class OrderShippingMethodDetailSerializer(DatedSerializer, DeletableSerializer):
    """What a shipping method is for: the order itself, unless it names a return."""

    id = serializers.CharField()
    version = serializers.IntegerField()
    order_id = serializers.CharField()
    shipping_method_id = serializers.CharField()
    return_id = serializers.CharField(allow_null=True)
    exchange_id = serializers.CharField(allow_null=True)
    claim_id = serializers.CharField(allow_null=True)


def _details(batch: Batch) -> Sequence[JSONObject]:
    """Each has its method's id under its own prefix."""
    return [
        {
            "id": f"ordspmv_{method_id.partition('_')[2]}",
            "version": 1,
            "order_id": order_id,
            "shipping_method_id": method_id,
            "return_id": None,
            "exchange_id": None,
            "claim_id": None,
            "created_at": isoformat(created_at),
            "updated_at": isoformat(updated_at),
            "deleted_at": None,
        }
        for method_id, order_id, created_at, updated_at in batch.rows
    ]


class ChosenMethodSerializer(ResourceSerializer):
    """What a shipping method has in the place of a cart's."""

    order_id = serializers.CharField()
    is_custom_amount = serializers.BooleanField()


class OrderShippingMethodSerializer(ShippingMethodSerializer, ChosenMethodSerializer, DeletableSerializer):
    """A shipping option that was chosen, with its price at that time."""

    cart_id = None  # type: ignore[assignment]  # DRF's way to drop an inherited field
    tax_lines = ToMany(_tax_line, key="shipping_method_id")
    adjustments = ToMany(_adjustment, key="shipping_method_id", present_if="discount_subtotal")
    detail = BatchRelation(_detail, columns=("id", "order_id", "created_at", "updated_at"), load=_details)

    class Meta:
        model = OrderShippingMethod


class PaidCreditSerializer(ResourceSerializer):
    """What a credit line has in the place of a cart's."""

    order_id = serializers.CharField()
    version = serializers.IntegerField()
    subtotal = MoneyValue(source="amount", help_text="The same as amount.")
    total = MoneyValue(source="amount", help_text="The same as amount.")


class OrderCreditLineSerializer(CreditLineSerializer, PaidCreditSerializer, DeletableSerializer):
    """An amount of the order that a gift card or store credit paid."""

    cart_id = None  # type: ignore[assignment]  # DRF's way to drop an inherited field

    class Meta:
        model = OrderCreditLine


class OrderPromotionSerializer(ResourceSerializer):
    """A promotion that the order used, as it was then."""

    id = serializers.CharField(source="promotion_id")
    code = serializers.CharField()
    is_automatic = serializers.BooleanField()
    is_tax_inclusive = constant(serializers.BooleanField(help_text="Always false."), False)
    application_method = BatchRelation(
        _application_method,
        columns=("type", "value", "currency_code", "target"),
        load=load_application_methods,
        along=True,
    )

    class Meta:
        model = OrderPromotion
