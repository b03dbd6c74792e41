"""Promotions, as carts show them."""

from rest_framework import serializers

from carts.models import CartPromotion
from carts.states import Allocation, PromotionTarget, PromotionType, SkipReason
from kit.reads.declarations.computed import Batch, BatchRelation, MoneyValue, RowField
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
        choices=PromotionTarget.values, help_text="Items, the order as a whole, or shipping."
    )
    allocation = serializers.ChoiceField(
        choices=Allocation.values,
        allow_null=True,
        help_text="Each line by itself, one discount across lines, or the cheapest units once; null off the order.",
    )


def _application_method() -> ResourceSerializerClass:
    return ApplicationMethodSerializer


def load_application_methods(batch: Batch) -> list[JSONObject]:
    """The application method of each row, a promotion's type, value, currency, target and allocation."""
    names = ("type", "value", "currency_code", "target_type", "allocation")
    rows = ((kind, json_number(value), *rest) for kind, value, *rest in batch.rows)
    return [dict(zip(names, row, strict=True)) for row in rows]


def _entered_code(help_text: str) -> RowField:
    return RowField(
        serializers.CharField(),
        columns=("entered", "promotion__code"),
        compute=lambda entered, code: entered or code,
        help_text=help_text,
    )


class PromotionSerializer(ResourceSerializer):
    """A promotion that takes something off the cart: added by its code, or automatic."""

    id = serializers.CharField(source="promotion_id")
    code = _entered_code("The code as it was entered; that of the promotion if it is automatic.")
    is_automatic = RowField(serializers.BooleanField(), columns=("promotion__is_automatic",), compute=bool)
    is_tax_inclusive = RowField(
        serializers.BooleanField(), columns=("promotion__is_tax_inclusive",), compute=bool, help_text=TAXED_AMOUNT
    )
    application_method = BatchRelation(
        _application_method,
        columns=tuple(f"promotion__{name}" for name in ("type", "value", "currency_id", "target_type", "allocation")),
        load=load_application_methods,
        along=True,
    )

    class Meta:
        model = CartPromotion


_MESSAGES = {
    SkipReason.MINIMUM_NOT_REACHED: "The minimum for this code has not been reached",
    SkipReason.NO_MATCHING_ITEMS: "This code is for other goods",
    SkipReason.NO_SHIPPING_METHOD: "This code is for a shipping method that has not been chosen",
    SkipReason.NOT_FOR_CUSTOMER: "This code is for other customers",
    SkipReason.NOT_FOR_PLACE: "This code is not for this place",
    SkipReason.NOT_FIRST_ORDER: "This code is for first orders only",
    SkipReason.NOT_COMBINABLE: "This code cannot be used together with the other discounts",
    SkipReason.BUDGET_EXCEEDED: "The offer of this code cannot cover this cart",
}


class SkippedCodeSerializer(ResourceSerializer):
    """A code of the cart that takes nothing off it, as long as its conditions do not hold."""

    code = _entered_code("The code as it was entered.")
    reason = serializers.ChoiceField(choices=SkipReason.values, allow_null=True)
    message = RowField(
        serializers.CharField(allow_null=True),
        columns=("reason",),
        compute=_MESSAGES.get,
        help_text="The reason in words, for the shopper.",
    )
    missing = MoneyValue(
        allow_null=True, help_text="What the cart lacks of a minimum: an amount, or a number of pieces."
    )

    class Meta:
        model = CartPromotion
