"""The shop file's regions."""

from collections.abc import Iterator

from django.db.models import Prefetch

from kit.editing.changes import BATCH
from kit.errors import DomainError
from kit.shop_file.references import NamesOf
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Entry, Percent, Text, written
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.errors import CountryTaken
from shop.models import PaymentProvider, Region
from shop.regions.region_taxes import COUNTRY_RATES, Rate
from shop.regions.regions import VERBS
from shop.shop_file.currencies import CurrencyCode
from shop.shop_file.places import CountryCode, CountryCodes, Places
from shop.shop_file.targets import PAYMENT_PROVIDERS


class Regions(RowsSection[Region]):
    """Every region that is not deleted. The first becomes the store's default, if it has none."""

    key = "regions"
    natural_key = "name"
    verbs = VERBS
    fields = row_fields(
        VERBS,
        currency_code=CurrencyCode(required=True),
        countries=CountryCodes(),
        tax_rates=Places(
            fields={
                "country_code": CountryCode(required=True),
                "province": Text(nullable=True),
                "rate": Percent(required=True),
            }
        ),
        payment_providers=NamesOf(target=PAYMENT_PROVIDERS),
    )

    def values(self, entry: Entry, row: Region | None) -> dict[str, object]:
        values = super().values(entry, row)
        if "tax_rates" in values:
            values["tax_rates"] = [
                Rate(rate.given["country_code"], rate.given.get("province") or None, rate.given["rate"])
                for rate in values["tax_rates"]
            ]
        return values

    def is_consequence(self, error: DomainError) -> bool:
        """A country of a region whose own problems are reported."""
        return isinstance(error, CountryTaken) and self.problems.is_invalid(self.key, error.region_name)

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        parts = ("countries", Prefetch("payment_providers", PaymentProvider.objects.not_deleted()))
        for region in Region.objects.not_deleted().order_by("pk").prefetch_related(*parts).iterator(BATCH):
            countries = sorted(country.pk for country in region.countries.all())
            rates = COUNTRY_RATES.get().of(countries)
            yield {
                "id": region.pk,
                "name": region.name,
                "currency_code": region.currency_id,
                "countries": countries,
                "tax_rate": written(region.tax_rate),
                "tax_rates": [
                    {"country_code": country, "province": province, "rate": written(rate)}
                    for country, of_country in sorted(rates.items())
                    for province, rate in sorted(of_country.items(), key=lambda each: each[0] or "")
                ],
                "is_tax_inclusive": region.is_tax_inclusive,
                "payment_providers": sorted(provider.pk for provider in region.payment_providers.all()),
                "metadata": region.metadata,
                "created_at": isoformat(region.created_at),
            }
