"""The rates of countries and provinces for all goods, as a region of a shop file states them.

Those that are added to the country's, and those for certain goods, are left alone: only tax regions state them.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from decimal import Decimal

from kit.editing.changes import Changes
from shop.regions.region_taxes import Rates
from taxes.editing.rate_conflicts import lock_countries
from taxes.models import TaxRate, TaxRegion

NAME = "Standard rate"
Place = tuple[str, str | None]
"""A country, and a province of it or None."""


def of(countries: Collection[str]) -> Mapping[str, Rates]:
    """See shop.regions.region_taxes.CountryRates."""
    found: dict[str, dict[str | None, Decimal]] = defaultdict(dict)
    for (country, province), rate in _defaults(countries).items():
        if not rate.is_combinable:
            found[country][province] = rate.rate
    return found


def replace(wanted: Mapping[str, Rates]) -> set[str]:
    """See shop.regions.region_taxes.CountryRates. Six statements for any number of countries."""
    lock_countries(wanted)
    regions = TaxRegion.objects.not_deleted().filter(country__in=[*wanted])
    tax_regions = {(region.country_id, region.province): region for region in regions}
    stored = _defaults([*wanted])
    new_regions, rates = Changes(TaxRegion), Changes(TaxRate)
    changed = set()
    for country, of_country in wanted.items():
        for province, percent in of_country.items():
            rate = stored.pop((country, province), None)
            if rate is not None:
                is_changed = rates.change(rate, {"rate": percent, "is_combinable": False})
            else:
                region = _region(tax_regions, new_regions, country, province)
                rates.make(tax_region_id=region.pk, name=NAME, rate=percent, is_default=True)
                is_changed = True
            changed |= {country} if is_changed else set()
    for (country, _), rate in stored.items():
        if not rate.is_combinable:
            rates.remove(rate)
            changed.add(country)
    new_regions.write()
    rates.write()
    return changed


def _defaults(countries: Collection[str]) -> dict[Place, TaxRate]:
    rates = TaxRate.objects.not_deleted().filter(
        tax_region__country__in=countries, tax_region__deleted_at=None, is_default=True
    )
    return {(rate.tax_region.country_id, rate.tax_region.province): rate for rate in rates.select_related("tax_region")}


def _region(
    stored: dict[Place, TaxRegion], changes: Changes[TaxRegion], country: str, province: str | None
) -> TaxRegion:
    """The tax region of the place, made with that of its country if there is none."""
    if (country, province) not in stored:
        parent = None if province is None else _region(stored, changes, country, None).pk
        stored[country, province] = changes.make(country_id=country, province=province, parent_id=parent)
    return stored[country, province]
