"""Tax regions, their rates and tax providers, as programs maintain them."""

from typing import Any

from kit.rest.reads import List
from kit.rest.requests.input_fields import BooleanField, CharField, ChoiceField, DecimalField, DictField, ListSerializer
from kit.rest.requests.inputs import Input
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.values.places import country
from shop.taxes import OWN_RATES
from taxes.api import resources
from taxes.editing.rate_goods import KINDS
from taxes.editing.tax_rate_editing import VERBS as RATES
from taxes.editing.tax_region_editing import VERBS as REGIONS
from taxes.models import RuleReference

_OWN_PROVIDER = (resources.OWN_PROVIDER, OWN_RATES)
"""By its id, and as tax lines name it."""


class RateRuleInput(Input):
    """Goods that a rate is for."""

    reference = ChoiceField(choices=RuleReference.values)
    reference_id = CharField(allow_blank=False)


def _rules() -> ListSerializer:
    return ListSerializer(
        child=RateRuleInput(), required=False, help_text="What the rate is for. A list replaces the stored rules."
    )


class DefaultRateInput(Input):
    """The default rate of a new tax region."""

    name = CharField(allow_blank=False)
    code = CharField(required=False, allow_null=True, max_length=64)
    rate = DecimalField(required=False, help_text="Percent.")
    is_combinable = BooleanField(required=False)
    metadata = DictField(required=False, allow_null=True)


class TaxRateInput(DefaultRateInput):
    """A new rate."""

    tax_region_id = CharField(allow_blank=False)
    rules = _rules()
    is_default = BooleanField(required=False, help_text="By default, true if there are no rules.")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Adds `is_default`, which follows from `rules` unless it is given."""
        values: dict[str, Any] = super().to_internal_value(data)
        return {"is_default": not values.get("rules"), **values}


class TaxRegionChangesInput(Input):
    """Changes to a tax region. Omitted fields are not changed."""

    province_code = CharField(
        required=False, allow_null=True, help_text="The ISO 3166-2 code of the province, or its name."
    )
    provider_id = CharField(
        required=False, allow_null=True, help_text="Only for countries. `tp_system` or null for the shop's own rates."
    )
    metadata = DictField(required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Renames fields to the columns of tax regions."""
        values: dict[str, Any] = super().to_internal_value(data)
        columns = {"country_code": "country_id", "province_code": "province"}
        named = {columns.get(name, name): value for name, value in values.items()}
        return named | {"provider_id": None} if named.get("provider_id") in _OWN_PROVIDER else named


class TaxRegionInput(TaxRegionChangesInput):
    """A new tax region: of a province if `province_code` is given, otherwise of the country."""

    country_code = CharField(help_text="ISO 3166-1 alpha-2.")
    parent_id = CharField(
        required=False,
        allow_null=True,
        help_text="Only for provinces: the tax region of the country, which is the default.",
    )
    default_tax_rate = DefaultRateInput(required=False, allow_null=True)

    def validate_country_code(self, code: str) -> str:
        """In lower case."""
        return country(code)


class TaxRegions(RowEndpoint):
    """Tax regions: countries, and provinces with rates of their own. Deleting one deletes its rates and provinces."""

    resource = resources.TAX_REGIONS
    verbs = REGIONS
    inputs = {"create": TaxRegionInput, "update": TaxRegionChangesInput}


class TaxRates(RowEndpoint):
    """Tax rates of tax regions. Carts change with their next update; orders keep their taxes."""

    resource = resources.TAX_RATES
    verbs = RATES
    body_fields = {**dict.fromkeys(KINDS), "rules": _rules()}
    inputs = {"create": TaxRateInput}


class TaxProviders(List, AdminEndpoint):
    """The tax providers of the settings, and `tp_system`, the shop's own rates."""

    resource = resources.TAX_PROVIDERS
    permissions = {"list": "taxes.view_taxregion"}
