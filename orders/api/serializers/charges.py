"""The shipping methods, credit lines and promotions of orders."""

from django.db.models import F, OuterRef, Subquery, Value
from django.db.models.functions import Replace
from rest_framework import serializers

from carts.api.serializers import CreditLineSerializer, ShippingMethodSerializer
from carts.api.serializers.promotions import TAXED_AMOUNT, ApplicationMethodSerializer, load_application_methods
from carts.api.serializers.taxes import TaxSerializer
from kit.reads.declarations.computed import BatchRelation, ConstantField, MoneyValue, RowObject, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer
from orders.models import (
    OrderChange,
    OrderCreditLine,
    OrderPromotion,
    OrderShippingMethod,
    OrderShippingMethodAdjustment,
    OrderShippingMethodTaxLine,
)
from orders.states import ChangeKind


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
    metadata = ConstantField(serializers.DictField(allow_null=True), value=None)
    data = ConstantField(serializers.DictField(allow_null=True), value=None)  # type: ignore[assignment]  # DRF's own word too

    class Meta:
        model = OrderShippingMethodTaxLine


class OrderShippingMethodAdjustmentSerializer(DatedSerializer, DeletableSerializer):
    """A discount of a promotion on a shipping method."""

    id = serializers.CharField()
    shipping_method_id = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    amount = MoneyValue(help_text="What is taken off the shipping method, with tax if is_tax_inclusive.")
    is_tax_inclusive = serializers.BooleanField(help_text="Whether amount includes tax, as the price does.")
    description = serializers.CharField(allow_null=True)
    promotion_id = serializers.CharField(allow_null=True)

    class Meta:
        model = OrderShippingMethodAdjustment


def _of(kind: ChangeKind, prefix: str) -> SqlField:
    """The id of the exchange or claim that added the shipping method; the changes of an order are few."""
    changes = OrderChange.objects.filter(order=OuterRef("order_id"), kind=kind, actions__method_id=OuterRef("pk"))
    return SqlField(
        serializers.CharField(allow_null=True),
        expression=Replace(Subquery(changes.values("pk")[:1]), Value("ordch_"), Value(f"{prefix}_")),
        help_text=f"The {kind} that added it.",
    )


class OrderShippingMethodDetailSerializer(DatedSerializer, DeletableSerializer):
    """What a shipping method is for: the order itself, unless it names a return."""

    id = SqlField(serializers.CharField(), expression=Replace(F("id"), Value("ordsm_"), Value("ordspmv_")))
    version = ConstantField(serializers.IntegerField(), value=1)
    order_id = serializers.CharField(allow_null=True)
    shipping_method_id = serializers.CharField(source="id")
    return_id = serializers.CharField(source="of_return_id", allow_null=True, help_text="The return that it is for.")
    exchange_id = _of(ChangeKind.EXCHANGE, "oexc")
    claim_id = _of(ChangeKind.CLAIM, "claim")


class ChosenMethodSerializer(ResourceSerializer):
    """What a shipping method has in the place of a cart's."""

    order_id = serializers.CharField(allow_null=True, help_text="Null while staff prepare the return that it is for.")
    is_custom_amount = serializers.BooleanField()


class OrderShippingMethodSerializer(ShippingMethodSerializer, ChosenMethodSerializer, DeletableSerializer):
    """A shipping option that was chosen, with its price at that time."""

    cart_id = None  # type: ignore[assignment]  # DRF's way to drop an inherited field
    tax_lines = ToMany(_tax_line, key="shipping_method_id")
    adjustments = ToMany(_adjustment, key="shipping_method_id", present_if=("discount_total",))
    detail = RowObject(_detail)

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
    is_tax_inclusive = serializers.BooleanField(help_text=TAXED_AMOUNT)
    application_method = BatchRelation(
        _application_method,
        columns=("type", "value", "currency_code", "target", "allocation"),
        load=load_application_methods,
        along=True,
    )

    class Meta:
        model = OrderPromotion
