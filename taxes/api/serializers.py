"""Tax regions, rates and providers, as staff see them."""

from rest_framework import serializers

from kit.reads.declarations.computed import ConstantField, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer
from taxes.models import RuleReference, TaxRate, TaxRateRule, TaxRegion


def _nobody() -> ConstantField:
    return ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null.")


class TaxRateRuleSerializer(ResourceSerializer):
    """Goods that a rate is for."""

    id = serializers.CharField()
    reference = serializers.ChoiceField(choices=RuleReference.values)
    reference_id = serializers.CharField(help_text="The id of the product, product type or shipping option.")
    created_at = serializers.DateTimeField()

    class Meta:
        model = TaxRateRule


class TaxRateSerializer(RecordSerializer):
    """A rate of a tax region: the default, or for certain goods."""

    id = serializers.CharField()
    name = serializers.CharField()
    code = serializers.CharField(
        allow_null=True, help_text="The code of its tax lines; null for the code of the tax region."
    )
    rate = MoneyValue(help_text="Percent.")
    tax_region_id = serializers.CharField()
    is_default = serializers.BooleanField()
    is_combinable = serializers.BooleanField(help_text="Whether it is added to the rate of the country.")
    created_by = _nobody()
    tax_region = ToOne(lambda: TaxRegionSerializer, key="tax_region_id", inverse="tax_rates")
    rules = ToMany(lambda: TaxRateRuleSerializer, key="tax_rate_id")

    class Meta:
        model = TaxRate


class TaxRegionSerializer(RecordSerializer):
    """A country, or a province with rates of its own."""

    id = serializers.CharField()
    country_code = serializers.CharField(source="country_id")
    province_code = serializers.CharField(source="province", allow_null=True, help_text="Null for the whole country.")
    parent_id = serializers.CharField(allow_null=True, help_text="The tax region of the province's country.")
    provider_id = serializers.CharField(allow_null=True, help_text="Null for `tp_system`, the shop's own rates.")
    created_by = _nobody()
    tax_rates = ToMany(lambda: TaxRateSerializer, key="tax_region_id", inverse="tax_region")
    parent = ToOne(  # type: ignore[assignment]  # DRF's own word too
        lambda: TaxRegionSerializer, key="parent_id", inverse="children", allow_null=True
    )
    children = ToMany(lambda: TaxRegionSerializer, key="parent_id", inverse="parent", order=("province",))

    class Meta:
        model = TaxRegion


class TaxProviderSerializer(ResourceSerializer):
    """A tax provider of the settings, or `tp_system` for the shop's own rates."""

    id = serializers.CharField()
    is_enabled = serializers.BooleanField()

    class Meta:
        model = TaxRegion
