"""The fields that taxes on lines and on shipping methods share."""

from rest_framework import serializers

from kit.reads.declarations.computed import MoneyValue
from kit.reads.declarations.records import DatedSerializer


class TaxSerializer(DatedSerializer):
    """A tax and its amounts."""

    total = MoneyValue()
    subtotal = MoneyValue()
    description = serializers.CharField(allow_null=True)
    tax_rate_id = serializers.CharField(allow_null=True)
    code = serializers.CharField()
    rate = MoneyValue(help_text="Percent.")
    provider_id = serializers.CharField(allow_null=True)
