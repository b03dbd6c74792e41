"""The tax rates of a region's countries and provinces, as its shop file states them.

They are rows of the taxes app: a tax region is a country or a province, whichever region of the shop that belongs to.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, TypeAlias

from django.db.models import Q

from kit.domain.hooks import Wired
from kit.values import places
from kit.values.money import percent
from shop.errors import TaxRateRepeated
from shop.models import Country

Rates: TypeAlias = Mapping[str | None, Decimal]
"""Percentages by province; None for the whole country."""


@dataclass(frozen=True, slots=True)
class Rate:
    """rate: percent. province: its ISO 3166-2 code, the code's suffix, or its name; None for the whole country."""

    country_code: str
    province: str | None
    rate: Decimal


class CountryRates(Protocol):
    """Default rates of countries and provinces that are not combinable."""

    def of(self, countries: Collection[str]) -> Mapping[str, Rates]:
        """The rates of countries that have any."""

    def replace(self, wanted: Mapping[str, Rates]) -> set[str]:
        """Give each country these rates and no others of this kind. Returns the countries that this changes."""


COUNTRY_RATES = Wired[CountryRates]("the tax rates of countries")


def wanted_rates(rates: Sequence[Rate]) -> dict[str, dict[str | None, Decimal]]:
    """The rates by country.

    Raises InvalidData for an invalid country, province or percentage, and TaxRateRepeated.
    """
    wanted: dict[str, dict[str | None, Decimal]] = {}
    for rate in rates:
        country = places.country(rate.country_code)
        province = places.province(rate.province, country_code=country) if rate.province else None
        of_country = wanted.setdefault(country, {})
        if province in of_country:
            raise TaxRateRepeated(province or country)
        of_country[province] = percent(rate.rate, field="rate")
    return wanted


def replace_rates(rates: Mapping[str, Mapping[str, Rates]]) -> set[str]:
    """Give the countries of regions these rates and no others. Returns the ids of the regions whose rates change.

    rates: by region and country. A rate for a country of another region has no effect. A country that leaves its region
    keeps its rates.
    """
    named = {code for of_region in rates.values() for code in of_region}
    regions = Country.objects.filter(Q(region__in=[*rates]) | Q(pk__in=named)).values_list("pk", "region")
    wanted: dict[str, Rates] = {}
    for code, owner in regions:
        for region_id in rates if owner is None else rates.keys() & {owner}:
            if owner is not None or code in rates[region_id]:
                wanted[code] = rates[region_id].get(code, {})
    changed = COUNTRY_RATES.get().replace(wanted) if wanted else set()
    owners = dict(regions)
    return {key for key in rates if any(owners[code] == key or code in rates[key] for code in changed)}
