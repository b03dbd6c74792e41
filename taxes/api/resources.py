"""The resources of taxes, for REST and GraphQL."""

from collections.abc import Sequence

from django.conf import settings

from kit.domain.actor import Actor
from kit.reads.computed_resources import ComputedResource, Shown, chosen
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from shop.taxes import OWN_RATES
from taxes.api import filters, serializers

TAX_REGIONS = Resource(
    name="tax_region",
    plural="tax_regions",
    serializer_class=serializers.TaxRegionSerializer,
    filterset_class=filters.TaxRegionFilters,
    default_limit=20,
    defaults="*tax_rates,*tax_rates.rules,*parent,*children",
)
TAX_RATES = Resource(
    name="tax_rate",
    plural="tax_rates",
    serializer_class=serializers.TaxRateSerializer,
    filterset_class=filters.TaxRateFilters,
    default_limit=20,
    defaults="*tax_region,*rules",
)
OWN_PROVIDER = f"tp_{OWN_RATES}"
"""The shop's own rates among the providers: Medusa's dashboard expects an underscore in each of their ids."""


class TaxProviderResource(ComputedResource):
    """The shop's own rates, and the providers that settings.TAX_PROVIDERS names. All are enabled."""

    def load(self, query: ListQuery, actor: Actor) -> Sequence[Shown]:
        rows: list[Shown] = [{"id": key, "is_enabled": True} for key in (OWN_PROVIDER, *settings.TAX_PROVIDERS)]
        return chosen(rows, query)


TAX_PROVIDERS = TaxProviderResource(
    name="tax_provider",
    plural="tax_providers",
    serializer_class=serializers.TaxProviderSerializer,
    filterset_class=filters.TaxProviderFilters,
    default_limit=20,
)
