"""The tax rates of a region's countries and provinces."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from kit.editing.children import Children, Key
from kit.values import places
from kit.values.money import percent
from shop.errors import TaxRateRepeated
from shop.models import TaxRate


@dataclass(frozen=True, slots=True)
class Rate:
    """rate: percent. province: its ISO 3166-2 code, the code's suffix, or its name; None for the whole country."""

    country_code: str
    province: str | None
    rate: Decimal


class RateRows(Children[TaxRate]):
    """The tax rates of regions, by place."""

    model = TaxRate
    parent = "region_id"
    key = ("country_id", "province")


def wanted_rates(rates: Sequence[Rate]) -> dict[Key, dict[str, object]]:
    """The rates by place, as RateRows takes them.

    Raises InvalidData for an invalid country, province or percentage, and TaxRateRepeated.
    """
    wanted: dict[Key, dict[str, object]] = {}
    for rate in rates:
        country = places.country(rate.country_code)
        province = places.province(rate.province, country_code=country) if rate.province else None
        if (country, province) in wanted:
            raise TaxRateRepeated(province or country)
        wanted[country, province] = {"rate": percent(rate.rate, field="rate")}
    return wanted
