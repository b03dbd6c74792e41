"""The calculated price of a variant or shipping option in the caller's price context."""

from rest_framework import serializers

from catalog.states import PriceListType
from kit.reads.declarations.computed import Embedded, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass


class PriceReferenceSerializer(ResourceSerializer):
    """The price behind an amount; its `id` is null if no price applies."""

    id = serializers.CharField(allow_null=True)
    price_list_id = serializers.CharField(allow_null=True)
    price_list_type = serializers.ChoiceField(choices=PriceListType.values, allow_null=True)
    min_quantity = serializers.IntegerField(allow_null=True)
    max_quantity = serializers.IntegerField(allow_null=True)


def _reference() -> ResourceSerializerClass:
    return PriceReferenceSerializer


class CalculatedPriceSerializer(ResourceSerializer):
    """The price of one piece, and its price without a sale. Amounts with and without tax are null without a region."""

    id = serializers.CharField(allow_null=True, help_text="The price set's id; null for a price quoted by a provider.")
    is_calculated_price_price_list = serializers.BooleanField()
    is_calculated_price_tax_inclusive = serializers.BooleanField()
    calculated_amount = MoneyValue(allow_null=True)
    calculated_amount_with_tax = MoneyValue(allow_null=True)
    calculated_amount_without_tax = MoneyValue(allow_null=True)
    is_original_price_price_list = serializers.BooleanField()
    is_original_price_tax_inclusive = serializers.BooleanField()
    original_amount = MoneyValue(allow_null=True)
    original_amount_with_tax = MoneyValue(allow_null=True)
    original_amount_without_tax = MoneyValue(allow_null=True)
    currency_code = serializers.CharField(allow_null=True)
    calculated_price = Embedded(_reference, along=True)
    original_price = Embedded(_reference, along=True)
