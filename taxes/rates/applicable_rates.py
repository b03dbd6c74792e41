"""Which tax rates apply to goods in a place. Catalogue, carts, shipping and returns all use this module.

Why: docs/decisions/taxes.md#rates-for-certain-goods-override-defaults.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q, QuerySet

from kit.reads.sql.keyed_rows import KeyedRows
from shop.taxes import UNNAMED, ApplicableTax, Goods, TaxPlace
from taxes.models import TaxRate, TaxRateRule


class RatesInPlace:
    """The rates of a place, read when they are needed, and then kept."""

    def __init__(self, place: TaxPlace) -> None:
        self._place = place
        self._rules: dict[str, set[str]] = {}

    def applicable(self, goods: Sequence[Goods]) -> list[Sequence[ApplicableTax]]:
        """See shop.taxes.TaxesInPlace. One statement at first; one for goods that were not looked up before."""
        if not goods:
            return []
        levels = self._levels
        if any(level.has_rules for level in levels):
            self._read_rules(goods)
        applicable: dict[Goods, Sequence[ApplicableTax]] = {}
        for one in goods:
            if one not in applicable:
                applicable[one] = () if one.is_giftcard else self._applicable(one)
        return [applicable[one] for one in goods]

    def _applicable(self, goods: Goods) -> Sequence[ApplicableTax]:
        country, province = (self._candidate(level, goods) for level in self._levels)
        if country and province and province.is_combinable:
            return country.tax, province.tax
        if country and province and province.is_default and not country.is_default:
            return (country.tax,)
        found = province or country
        return (found.tax,) if found else self._own

    def _candidate(self, level: "_Level", goods: Goods) -> "_Rate | None":
        """The rate for the product, else for its type, else for the shipping option, else the default."""
        for reference_id in (goods.product_id, goods.product_type_id, goods.shipping_option_id):
            for rate_id in sorted(self._rules.get(reference_id or "", ())):
                if rate_id in level.rates:
                    return level.rates[rate_id]
        return level.default

    @cached_property
    def _own(self) -> Sequence[ApplicableTax]:
        return (ApplicableTax(self._place.region_rate, "region", None, UNNAMED),) if self._place.region_rate else ()

    @cached_property
    def _levels(self) -> tuple["_Level", "_Level"]:
        """Of the country, and of the province."""
        country, province = self._place.country_code, self._place.province
        rows = _RATES.read([country], province or "") if country else []
        return (
            _Level({row.id: row for row in rows if row.tax_region__province is None}),
            _Level({row.id: row for row in rows if row.tax_region__province is not None}),
        )

    def _read_rules(self, goods: Sequence[Goods]) -> None:
        named = {key for each in goods for key in each[:3] if key is not None and key not in self._rules}
        if not named:
            return
        self._rules.update((key, set()) for key in named)
        special = [key for level in self._levels for key, rate in level.rates.items() if not rate.is_default]
        for reference_id, rate_id in _RULES.read(sorted(named), tuple(special)):
            self._rules[reference_id].add(rate_id)


class _Rate(NamedTuple):
    """A rate by the ORM paths of its columns. rate: in 1/10,000 percent."""

    id: str
    tax_region__country_id: str
    tax_region__province: str | None
    name: str
    code: str | None
    rate: int
    is_default: bool
    is_combinable: bool

    @property
    def tax(self) -> ApplicableTax:
        code = self.code or self.tax_region__province or self.tax_region__country_id
        return ApplicableTax(self.rate, code, self.id, self.name)


class _Level:
    """The rates of a country, or of a province, by id."""

    def __init__(self, rates: Mapping[str, _Rate]) -> None:
        self.rates = rates
        self.default = next((rate for rate in rates.values() if rate.is_default), None)
        self.has_rules = any(not rate.is_default for rate in rates.values())


def _rates(province: str) -> QuerySet[TaxRate]:
    """The rates of countries and of their provinces with that code; "" for those of countries alone."""
    place = Q(tax_region__province=None) | Q(tax_region__province=province)
    return TaxRate.objects.filter(place, deleted_at=None, tax_region__deleted_at=None)


_RATES = KeyedRows(_rates, key="tax_region__country_id", row=_Rate)
_RULES = KeyedRows(
    lambda rate_ids: TaxRateRule.objects.filter(deleted_at=None, tax_rate_id__in=rate_ids),
    key="reference_id",
    columns=("reference_id", "tax_rate_id"),
)
