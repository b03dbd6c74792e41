"""The shop file's regions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from django.db.models import Prefetch

from commerce.kit.core.json import JSONObject
from commerce.kit.core.text import LONGEST
from commerce.kit.core.timestamps import isoformat
from commerce.kit.shop_file.children import Children, Key
from commerce.kit.shop_file.problems import Problems
from commerce.kit.shop_file.references import NamesOf
from commerce.kit.shop_file.sections import Placed, RowsSection
from commerce.kit.shop_file.values import Boolean, Entry, Metadata, Percent, Text, Value, written
from commerce.kit.shop_file.writing import BATCH
from commerce.shop.default_region import ensure_default_region
from commerce.shop.models import Country, PaymentProvider, Region, TaxRate
from commerce.shop.shop_file.country_claims import CountryClaims
from commerce.shop.shop_file.currencies import CurrencyCode
from commerce.shop.shop_file.places import CountryCode, CountryCodes, Places
from commerce.shop.shop_file.targets import PAYMENT_PROVIDERS


class TaxRates(Children[TaxRate]):
    """The tax rates of regions."""

    model = TaxRate
    parent = "region_id"
    key = ("country_id", "province")


class Regions(RowsSection[Region]):
    """Every region that is not deleted. The first becomes the store's default, if it has none."""

    key = "regions"
    prefix = "reg"
    model = Region
    natural_key = "name"
    fields: ClassVar[Mapping[str, Value]] = {
        "name": Text(required=True, longest=LONGEST, may_be_blank=False),
        "currency_code": CurrencyCode(required=True),
        "countries": CountryCodes(),
        "tax_rate": Percent(),
        "tax_rates": Places(
            fields={
                "country_code": CountryCode(required=True),
                "province": Text(nullable=True),
                "rate": Percent(required=True),
            }
        ),
        "is_tax_inclusive": Boolean(),
        "payment_providers": NamesOf(target=PAYMENT_PROVIDERS),
        "metadata": Metadata(),
    }

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._claims = CountryClaims(problems)

    def values(self, entry: Entry, row: Region | None) -> dict[str, object]:
        values = super().values(entry, row)
        return {name: value for name, value in values.items() if name not in ("countries", "tax_rates")}

    def load_parts(self, placed: Sequence[Placed[Region]]) -> None:
        super().load_parts(placed)
        stored = [one.row.pk for one in placed if not one.is_new]
        rates, held = TaxRates(stored), _countries_of(stored)
        for one in placed:
            given = one.entry.given
            if "tax_rates" in given:
                one.is_changed |= rates.replace(one.row.pk, self._rates(given["tax_rates"]))
            if "countries" in given:
                one.is_changed |= set(given["countries"]) != held.get(one.row.pk, set())
                self._claims.claim(one.row, given["countries"], f"{one.entry.path}.countries")
        rates.write()

    def finish(self) -> None:
        self._claims.apply()
        ensure_default_region()

    def _rates(self, rates: Sequence[Entry]) -> dict[Key, dict[str, object]]:
        wanted: dict[Key, dict[str, object]] = {}
        for rate in rates:
            place = (rate.given["country_code"], rate.given.get("province") or None)
            if place in wanted:
                self.refuse(rate, f"there is another rate for '{place[1] or place[0]}'")
            wanted[place] = {"rate": rate.given["rate"]}
        return wanted

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        parts = (
            "countries",
            Prefetch("payment_providers", PaymentProvider.objects.not_deleted()),
            "tax_rates",
        )
        for region in Region.objects.not_deleted().order_by("pk").prefetch_related(*parts).iterator(BATCH):
            yield {
                "id": region.pk,
                "name": region.name,
                "currency_code": region.currency_id,
                "countries": sorted(country.pk for country in region.countries.all()),
                "tax_rate": written(region.tax_rate),
                "tax_rates": [
                    {"country_code": rate.country_id, "province": rate.province, "rate": written(rate.rate)}
                    for rate in sorted(region.tax_rates.all(), key=lambda rate: (rate.country_id, rate.province or ""))
                ],
                "is_tax_inclusive": region.is_tax_inclusive,
                "payment_providers": sorted(provider.pk for provider in region.payment_providers.all()),
                "metadata": region.metadata,
                "created_at": isoformat(region.created_at),
            }


def _countries_of(regions: Sequence[str]) -> dict[str, set[str]]:
    held: dict[str, set[str]] = {}
    for code, region in Country.objects.filter(region__in=regions).values_list("pk", "region_id"):
        held.setdefault(str(region), set()).add(code)
    return held
