"""The tax rates of a region's countries and provinces."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from commerce.kit.core import places
from commerce.kit.core.money import percent
from commerce.shop.errors import TaxRateRepeated
from commerce.shop.models import Region, TaxRate


@dataclass(frozen=True, slots=True)
class Rate:
    """rate: percent. province: its ISO 3166-2 code, the code's suffix, or its name; None for the whole country."""

    country_code: str
    province: str | None
    rate: Decimal


def assign_rates(region: Region, rates: Sequence[Rate]) -> None:
    """Replace the tax rates of the region, whose row the caller has locked.

    Raises InvalidData for an invalid country, province or percentage, and TaxRateRepeated.
    """
    wanted: dict[tuple[str, str | None], Decimal] = {}
    for rate in rates:
        country = places.country(rate.country_code)
        province = places.province(rate.province, country_code=country) if rate.province else None
        if (country, province) in wanted:
            raise TaxRateRepeated(province or country)
        wanted[country, province] = percent(rate.rate, field="rate")
    for row in TaxRate.objects.filter(region=region):
        kept = wanted.pop((row.country_id, row.province), None)
        if kept is None:
            row.delete()
        elif kept != row.rate:
            row.rate = kept
            row.save(update_fields=["rate", "updated_at"])
    TaxRate.objects.bulk_create(
        TaxRate(region=region, country_id=country, province=province, rate=rate)
        for (country, province), rate in wanted.items()
    )
