"""The shipping methods and credit lines of carts."""

from collections.abc import Sequence

from rest_framework import serializers

from carts.api.serializers.taxes import TaxSerializer
from carts.api.serializers.totals import TotalsSerializer
from carts.models import CreditLine, ShippingMethod, ShippingMethodAdjustment, ShippingMethodTaxLine
from kit.reads.declarations.computed import Batch, BatchField, MoneyValue
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer


def _tax_line() -> ResourceSerializerClass:
    return ShippingMethodTaxLineSerializer


def _adjustment() -> ResourceSerializerClass:
    return ShippingMethodAdjustmentSerializer


class ShippingMethodTaxLineSerializer(TaxSerializer):
    """A tax on a shipping method."""

    id = serializers.CharField()
    shipping_method_id = serializers.CharField()

    class Meta:
        model = ShippingMethodTaxLine


class ShippingMethodAdjustmentSerializer(DatedSerializer):
    """A discount of a promotion on a shipping method."""

    id = serializers.CharField()
    shipping_method_id = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    amount = MoneyValue(help_text="What is taken off the shipping method, with tax if is_tax_inclusive.")
    is_tax_inclusive = serializers.BooleanField(help_text="Whether amount includes tax, as the price does.")
    description = serializers.CharField(allow_null=True)
    promotion_id = serializers.CharField(allow_null=True)

    class Meta:
        model = ShippingMethodAdjustment


class ShippingMethodSerializer(MetadataSerializer, TotalsSerializer, DatedSerializer):
    """A shipping option that was chosen, with its price at that time."""

    id = serializers.CharField()
    cart_id = serializers.CharField()
    shipping_option_id = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    amount = MoneyValue()
    is_tax_inclusive = serializers.BooleanField()
    data = serializers.DictField(allow_null=True)  # type: ignore[assignment]  # DRF's own word too
    tax_lines = ToMany(_tax_line, key="shipping_method_id")
    adjustments = ToMany(_adjustment, key="shipping_method_id", present_if=("discount_total",))

    class Meta:
        model = ShippingMethod


def _shown_to_staff(batch: Batch) -> Sequence[str | None]:
    """A gift card can be redeemed by its id: callers who know a guest's cart, or take it over, must not see it."""
    return [reference_id if batch.actor.is_trusted else None for (reference_id,) in batch.rows]


class CreditLineSerializer(MetadataSerializer, DatedSerializer):
    """An amount of the cart that a gift card or store credit pays."""

    id = serializers.CharField()
    cart_id = serializers.CharField()
    amount = MoneyValue()
    reference = serializers.CharField()
    reference_id = BatchField(
        serializers.CharField(allow_null=True, help_text="Null unless the caller is staff."),
        columns=("reference_id",),
        load=_shown_to_staff,
    )

    class Meta:
        model = CreditLine
