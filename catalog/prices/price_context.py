"""The price context: the currency, place, taxes, quantity and buyer that a price depends on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from catalog.prices.price_rules import Attribute, Attributes
from catalog.rule_attributes import COUNTRY, CURRENCY, PROVINCE, REGION
from kit.database import raw_sql
from kit.domain.missing_row import missing
from kit.errors import InvalidData, shown
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import money, places
from kit.values.text import is_storable
from shop.models import Country, Currency, Region, Store
from shop.regions.only_country import ONLY_COUNTRY, with_only_country
from shop.taxes import Exemption, TaxPlace


@dataclass(frozen=True, slots=True)
class PriceContext:
    """attributes: the values that price rules compare, including place and currency; see price_rules.

    quantity: pieces that are bought; None if unknown. tax_place: None without a region, and so without taxes. The next
    two flags say which amounts include tax: see calculated_prices. exemptions: of the buyer and their groups, for any
    country.
    """

    currency_code: str
    attributes: Attributes
    quantity: int | None = None
    tax_place: TaxPlace | None = None
    region_is_tax_inclusive: bool = False
    currency_is_tax_inclusive: bool = False
    exemptions: Sequence[Exemption] = ()

    @property
    def is_tax_exempt(self) -> bool:
        """Whether the buyer is exempt from taxes in this place."""
        country = None if self.tax_place is None else self.tax_place.country_code
        return any(exemption.holds_in(country) for exemption in self.exemptions)

    @property
    def region_id(self) -> Attribute | None:
        """None if only the currency is known."""
        return self.attributes.get(REGION)


def find(
    *,
    region_id: str | None = None,
    country_code: str | None = None,
    province: str | None = None,
    currency_code: str | None = None,
    quantity: int | None = None,
    attributes: Attributes | None = None,
) -> PriceContext:
    """The context of a region or country, or of a currency alone: one of the three is required.

    Codes are accepted in any letter case; a full province code includes its country. One statement.
    Raises InvalidData, naming the field, for unknown values, for a country without a region or outside the given one,
    and for a currency that is not the region's.
    """
    money_code = None if currency_code is None else money.currency(currency_code)
    country, province = _place(country_code, province)
    known = {COUNTRY: country, PROVINCE: province}
    if country is not None:
        region = _region_of(country, region_id, field="province" if country_code is None else "country_code")
    elif region_id is not None:
        region = _region(region_id)
    elif money_code is not None:
        return _without_region(money_code, quantity, attributes or {})
    else:
        raise InvalidData("One of the fields 'region_id', 'country_code' and 'currency_code' is required")
    if money_code not in (None, region.currency_code):
        raise InvalidData(
            f"'{shown(currency_code)}' of field 'currency_code' is not the currency of the region, "
            f"'{region.currency_code}'"
        )
    place = TaxPlace(region.tax_rate, country or region.only_country, province)
    return _within(region, place, quantity, {**(attributes or {}), **_without_none(known)})


def of_store() -> PriceContext | None:
    """The context of the store's default region, else of its only region; None without either.

    One statement.
    """
    text, parameters = _store_statement()
    rows = raw_sql.fetch(text, parameters)
    if not rows:
        return None
    *columns, is_default = rows[0]
    if not is_default and len(rows) > 1:
        return None
    region = _Region(*columns)
    return _within(region, TaxPlace(region.tax_rate, region.only_country), None, {})


class _Region(NamedTuple):
    id: str
    currency_code: str
    tax_rate: int
    is_tax_inclusive: bool
    currency_is_tax_inclusive: bool
    only_country: str | None = None


_COLUMNS = ("id", "currency_id", "tax_rate", "is_tax_inclusive", "currency__is_tax_inclusive")
_REGIONS = KeyedRows(
    lambda: with_only_country(Region.objects.not_deleted(), region="pk"), key="id", columns=(*_COLUMNS, ONLY_COUNTRY)
)
_REGIONS_OF_COUNTRIES = KeyedRows(
    lambda: Country.objects.not_deleted().filter(region__isnull=False, region__deleted_at=None),
    key="iso_2",
    columns=[f"region__{column}" for column in _COLUMNS],
)
_CURRENCIES = KeyedRows(Currency.objects.not_deleted, key="code", columns=("is_tax_inclusive",))


@cache
def _store_statement() -> tuple[str, tuple[object, ...]]:
    """The default region, if there is one, before the others; two rows at most."""
    is_default = Exists(Store.objects.filter(default_region=OuterRef("pk")))
    regions = with_only_country(Region.objects.not_deleted(), region="pk").annotate(is_default=is_default)
    rows = regions.order_by("-is_default", "pk").values_list(*_COLUMNS, ONLY_COUNTRY, "is_default")[:2]
    text, parameters = rows.query.sql_with_params()
    return text, tuple(parameters)


def _region(region_id: str) -> _Region:
    rows = _REGIONS.read([region_id]) if is_storable(region_id) else []
    if not rows:
        raise InvalidData(missing("Region", region_id, field="region_id"))
    return _Region(*rows[0])


def _place(country_code: str | None, province: str | None) -> tuple[str | None, str | None]:
    """Country and province as they are stored."""
    country = None if country_code is None else places.country(country_code)
    if province is None:
        return country, None
    if country is None and "-" not in province:
        raise InvalidData(
            f"'{shown(province)}' of field 'province' is not a full code like 'us-ny': add 'country_code'"
        )
    province = places.province(province, country_code=country)
    return country or province.partition("-")[0], province


def _region_of(country: str, region_id: str | None, *, field: str) -> _Region:
    rows = _REGIONS_OF_COUNTRIES.read([country])
    if not rows:
        raise InvalidData(f"Country '{country}' of field '{field}' belongs to no region")
    region = _Region(*rows[0])
    if region_id not in (None, region.id):
        raise InvalidData(
            f"Country '{country}' of field '{field}' is not in region '{shown(region_id)}' of 'region_id'"
        )
    return region


def _within(region: _Region, place: TaxPlace, quantity: int | None, attributes: Attributes) -> PriceContext:
    return PriceContext(
        region.currency_code,
        {**attributes, REGION: region.id, CURRENCY: region.currency_code},
        quantity,
        place,
        bool(region.is_tax_inclusive),
        bool(region.currency_is_tax_inclusive),
    )


def _without_region(currency_code: str, quantity: int | None, attributes: Attributes) -> PriceContext:
    rows = _CURRENCIES.read([currency_code])
    if not rows:
        raise InvalidData(f"'{currency_code}' of field 'currency_code' is not a currency of the shop")
    return PriceContext(
        currency_code,
        {**attributes, CURRENCY: currency_code},
        quantity,
        currency_is_tax_inclusive=bool(rows[0][0]),
    )


def _without_none(values: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}
