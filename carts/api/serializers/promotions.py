"""Promotions, as carts show them."""

from rest_framework import serializers

from carts.models import Promotion
from carts.states import PromotionTarget, PromotionType
from kit.reads.declarations.computed import Batch, BatchRelation, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass
from kit.reads.plans.rows import json_number
from kit.values.json import JSONObject

TAXED_AMOUNT = "Whether a fixed amount includes tax; false for a percentage."


class ApplicationMethodSerializer(ResourceSerializer):
    """The discount of a promotion: a percentage, or a fixed amount in a currency."""

    type = serializers.CharField(help_text=f"One of: {', '.join(PromotionType.values)}.")
    value = MoneyValue(help_text="A percentage, or an amount in currency_code.")
    currency_code = serializers.CharField(allow_null=True)
    target_type = serializers.ChoiceField(
        choices=PromotionTarget.values, help_text="Each item, or the order as a whole."
    )


def _application_method() -> ResourceSerializerClass:
    return ApplicationMethodSerializer


def load_application_methods(batch: Batch) -> list[JSONObject]:
    """The application method of each row, a promotion's type, value, currency and target."""
    return [
        {"type": kind, "value": json_number(value), "currency_code": currency_code, "target_type": target}
        for kind, value, currency_code, target in batch.rows
    ]


class PromotionSerializer(ResourceSerializer):
    """A promotion of the cart: added by its code, or automatic."""

    id = serializers.CharField()
    code = serializers.CharField()
    is_automatic = serializers.BooleanField()
    is_tax_inclusive = serializers.BooleanField(help_text=TAXED_AMOUNT)
    application_method = BatchRelation(
        _application_method,
        columns=("type", "value", "currency_id", "target"),
        load=load_application_methods,
        along=True,
    )

    class Meta:
        model = Promotion
