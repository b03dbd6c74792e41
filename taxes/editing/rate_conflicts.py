"""All taxes of some countries, locked: whoever changes some of them compares them with the others.

The lock is that of the country's row, so that tax regions and rates that are being added are waited for, too.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from django.db.models import QuerySet

from kit.database.locking import Row, lock_rows
from kit.domain.base_model import BaseModel
from kit.editing.children import Key
from kit.editing.states import RowState
from kit.errors import DomainError, Duplicate
from kit.values.text import is_storable
from shop.models import Country
from taxes.editing.rate_goods import FIELDS, NamedGoods, RateGoods
from taxes.models import TaxRate, TaxRegion

Conflict = tuple[TaxRate, str, DomainError]
"""A rate, the field that conflicts with another rate, and the error."""
_MOST = 3
"""Conflicts of two rates that are named."""


def lock_countries(codes: Iterable[str]) -> None:
    """Wait for whoever changes their taxes, and keep others from it until the transaction ends."""
    lock_rows(rows_with_ids(Country, codes))


def rows_with_ids(model: type[Row], ids: Iterable[str]) -> QuerySet[Row]:
    """The rows with these ids, deleted ones too; ids that cannot be stored match nothing."""
    return model._default_manager.filter(pk__in={key for key in ids if is_storable(key)})


def countries_of(model: type[BaseModel], ids: Iterable[str], path: str) -> set[str]:
    """The countries of the rows with these ids. path: the lookup that leads to their country."""
    return {*rows_with_ids(model, ids).values_list(path, flat=True)}


def ids_of(states: Sequence[RowState]) -> list[str]:
    """The ids of the stored rows that the states name."""
    return [state.id for state in states if state.id is not None]


class CountryTaxes:
    """The tax regions of the locked countries by id, their rates, and what these are for."""

    def __init__(self, countries: Collection[str]) -> None:
        self.regions = TaxRegion.objects.not_deleted().filter(country__in=countries).in_bulk()
        self.rates = TaxRate.objects.not_deleted().filter(tax_region__in=self.regions).in_bulk() if self.regions else {}

    def conflicts(self, rows: Sequence[TaxRate], goods: RateGoods) -> Iterator[Conflict]:
        """Conflicts of these rates with each other and with the stored ones, once they are saved.

        Each rate is compared until one other conflicts: naming all pairs of a batch would take a statement for each.
        goods: of all rates. A rate whose tax region is not one of these countries is left out.
        """
        given = {row.pk for row in rows}
        seen: dict[str, list[TaxRate]] = defaultdict(list)
        for rate in self.rates.values():
            if rate.pk not in given:
                seen[self.regions[rate.tax_region_id].country_id].append(rate)
        for rate in (row for row in rows if row.tax_region_id in self.regions):
            of_country = seen[self.regions[rate.tax_region_id].country_id]
            found = (conflicts for other in of_country if (conflicts := self._first(rate, other, goods)))
            yield from next(found, ())
            of_country.append(rate)

    def _first(self, rate: TaxRate, other: TaxRate, goods: RateGoods) -> list[Conflict]:
        return [*islice(self._conflicts(rate, other, goods), _MOST)]

    def _conflicts(self, rate: TaxRate, other: TaxRate, goods: RateGoods) -> Iterator[Conflict]:
        place = self.regions[rate.tax_region_id]
        if self._codes_conflict(rate, other):
            yield rate, "code", Duplicate(f"The rate '{other.name}' already has the code '{self._code(rate)}'")
        if rate.tax_region_id != other.tax_region_id:
            return
        if rate.is_default and other.is_default:
            yield rate, "is_default", Duplicate(f"{place} already has a default rate, '{other.name}'")
        for key in sorted(goods.of(rate.pk).keys() & goods.of(other.pk).keys(), key=str):
            yield rate, FIELDS[str(key[0])], Duplicate(_same_goods_text(key, rate, other, place))

    def _codes_conflict(self, rate: TaxRate, other: TaxRate) -> bool:
        """Whether tax lines by these rates could not be told apart.

        A line has at most one rate of the country and one of the province, so their codes must differ if both can
        apply. Within one place, only explicit codes must differ.
        """
        place, others = self.regions[rate.tax_region_id], self.regions[other.tax_region_id]
        if place.pk == others.pk:
            return rate.code is not None and rate.code == other.code
        if place.parent_id == others.pk:
            return self._has_same_code(rate, other)
        return others.parent_id == place.pk and self._has_same_code(other, rate)

    def _has_same_code(self, of_province: TaxRate, of_country: TaxRate) -> bool:
        return of_province.is_combinable and self._code(of_province) == self._code(of_country)

    def _code(self, rate: TaxRate) -> str:
        return rate.code or self.regions[rate.tax_region_id].code


def _same_goods_text(key: Key, rate: TaxRate, other: TaxRate, place: TaxRegion) -> str:
    label = NamedGoods([key]).label(key)
    return f"Two rates of {place} are for the {label}: '{other.name}' and '{rate.name}'"
