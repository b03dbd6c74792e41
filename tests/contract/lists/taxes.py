"""Lists of taxes."""

from django.db.models import Model

from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from taxes.api.serializers import TaxProviderSerializer, TaxRateSerializer, TaxRegionSerializer
from tests.contract.lists.contract import ID_AND_DATES, RECORD, Contract, Filtering, Rows, days_apart
from tests.factories.taxes import tax_rate, tax_region

CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    TaxRegionSerializer: Contract(
        "id country_code province_code parent_id provider_id created_by tax_rates parent children " + RECORD,
        "created_by tax_rates parent children",
        {"parent": TaxRegionSerializer},
    ),
    TaxRateSerializer: Contract(
        "id name code rate tax_region_id is_default is_combinable created_by tax_region rules " + RECORD,
        "created_by tax_region rules",
        {"tax_region": TaxRegionSerializer},
    ),
    TaxProviderSerializer: Contract("id is_enabled"),
}


def _regions() -> Rows:
    country = tax_region("us")

    def one() -> Model:
        region = tax_region("us", "us-ny")
        region.provider_id = "old"
        region.save()
        return region

    def gone() -> Model:
        region = tax_region("fr")
        region.deleted_at = now()
        region.save()
        return region

    return {**days_apart(one=one, other=lambda: tax_region("de"), gone=gone), "country": country}


def _rates() -> Rows:
    made = days_apart(
        one=lambda: tax_rate("us", 8, name="Sales tax"),
        other=lambda: tax_rate("de", 19, is_default=False),
        gone=lambda: tax_rate("fr", 20, deleted_at=now()),
    )
    return {**made, "region": made["one"].tax_region}  # type: ignore[attr-defined]  # a rate


LISTS = {
    "/admin/tax-regions": Filtering(
        _regions,
        {
            **ID_AND_DATES,
            "q": "q=united us-ny",
            "country_code": "country_code=US&parent_id={country}",
            "province_code": "province_code=us-NY",
            "parent_id": "parent_id={country}",
            "provider_id": "provider_id=old",
        },
    ),
    "/admin/tax-rates": Filtering(
        _rates,
        {**ID_AND_DATES, "q": "q=sales", "tax_region_id": "tax_region_id={region}", "is_default": "is_default=true"},
    ),
    "/admin/tax-providers": Filtering(
        lambda: {"one": "tp_system"}, {"id": "id={one}", "is_enabled": "is_enabled=true"}
    ),
}
