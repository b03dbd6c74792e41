"""The tax rate of a place."""

from typing import NamedTuple

from kit.reads.sql.keyed_rows import KeyedRows
from shop.models import TaxRate


class OwedRate(NamedTuple):
    """province: None if the rate is for the whole country. rate: in 1/10,000 percent."""

    province: str | None
    rate: int
    id: str


def rate_of_place(region_id: str, country_code: str, province: str | None) -> OwedRate | None:
    """The province's rate, else the country's; None if the region's own rate applies. One statement.

    country_code, province: lower-case.
    """
    rates = {row[0]: OwedRate(*row) for row in _RATES.read([country_code], region_id)}
    return rates.get(province) or rates.get(None)


_RATES = KeyedRows(
    lambda region_id: TaxRate.objects.filter(deleted_at=None, region_id=region_id),
    key="country_id",
    columns=("province", "rate", "id"),
)
