"""Opening and changing regions."""

from decimal import Decimal
from typing import Any

import pytest

from commerce.kit.core.actor import ANONYMOUS, SYSTEM
from commerce.kit.core.errors import DomainError, Forbidden, InvalidData
from commerce.kit.core.timestamps import now
from commerce.shop import regions
from commerce.shop.errors import (
    CountryTaken,
    PaymentProviderUnknown,
    RegionNameTaken,
    RegionNotFound,
    TaxRateRepeated,
)
from commerce.shop.models import Country, PaymentProvider, Region, Store, TaxRate
from commerce.shop.region_taxes import Rate
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


def create(**values: Any) -> Region:
    return regions.create(actor=SYSTEM, **{"name": "Europe", "currency_code": "eur", **values})


def change(region: Region, **values: Any) -> Region:
    return regions.update(actor=SYSTEM, region_id=region.pk, **values)


def countries() -> dict[str, str]:
    return dict(Country.objects.exclude(region=None).values_list("pk", "region__name"))


def rates() -> dict[tuple[str, str | None], Decimal]:
    return {(rate.country_id, rate.province): rate.rate for rate in TaxRate.objects.all()}


def stored() -> list[Any]:
    """Every row that a region has anything to do with."""
    tables = (Region, Country, TaxRate, Region.payment_providers.through, Store)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]


def test_a_region_has_what_it_was_opened_with():
    region = create(
        currency_code="EUR", countries=["DE", "at"], tax_rate=Decimal(19), is_tax_inclusive=True,
        tax_rates=[Rate("AT", None, Decimal(20)), Rate("at", "Tirol", Decimal("19.5"))],
        payment_providers=["pp_system_default"], metadata={"a": 1},
    )  # fmt: skip
    region.refresh_from_db()
    assert (region.name, region.currency_id, region.tax_rate, region.is_tax_inclusive) == ("Europe", "eur", 19, True)
    assert region.metadata == {"a": 1}
    assert countries() == {"de": "Europe", "at": "Europe"}
    assert rates() == {("at", None): 20, ("at", "at-7"): Decimal("19.5")}
    assert [provider.pk for provider in region.payment_providers.all()] == ["pp_system_default"]


def test_the_first_becomes_the_stores_default_and_stays_it():
    first = create()
    create(name="Americas")
    assert Store.objects.get().default_region == first


def test_what_is_not_given_stays():
    region = create(countries=["de"], tax_rate=Decimal(19), tax_rates=[Rate("de", None, Decimal(7))], metadata={"a": 1})
    change(region, name="EU")
    region.refresh_from_db()
    assert (region.name, region.currency_id, region.tax_rate, region.metadata) == ("EU", "eur", 19, {"a": 1})
    assert countries() == {"de": "EU"}
    assert rates() == {("de", None): 7}


def test_lists_replace_what_the_region_has():
    region = create(countries=["de", "at"], payment_providers=["pp_system_default"],
                    tax_rates=[Rate("de", None, Decimal(7)), Rate("at", None, Decimal(8))])  # fmt: skip
    kept = TaxRate.objects.get(country="de")
    change(region, countries=["at", "fr"], payment_providers=[],
           tax_rates=[Rate("de", None, Decimal(9)), Rate("fr", None, Decimal(5))])  # fmt: skip
    assert countries() == {"at": "Europe", "fr": "Europe"}
    assert rates() == {("de", None): 9, ("fr", None): 5}
    assert TaxRate.objects.get(country="de").pk == kept.pk
    assert region.payment_providers.count() == 0
    change(region, countries=[], tax_rates=[])
    assert (countries(), rates()) == ({}, {})


def test_metadata_are_merged():
    region = create(metadata={"a": 1, "b": 2})
    assert change(region, metadata={"a": "", "c": 3}).metadata == {"b": 2, "c": 3}
    assert change(region, metadata=None).metadata is None


def test_the_countries_of_a_deleted_region_are_free():
    RegionFactory(name="Atlantis", countries=["de"], deleted_at=now())
    create(countries=["de"])
    assert countries() == {"de": "Europe"}


@pytest.mark.parametrize(("values", "refusal", "message"), [
    ({"name": "Asia"}, RegionNameTaken, "Region with name: Asia, already exists."),
    ({"name": " "}, InvalidData, "Value for field 'name' must not be blank"),
    ({"currency_code": "zzz"}, InvalidData, "'zzz' of field 'currency_code' is not an ISO 4217 currency code"),
    ({"countries": ["de", "jp"]}, CountryTaken, "Country with code: jp already belongs to the region 'Asia'"),
    ({"countries": ["zz"]}, InvalidData, "'zz' of field 'countries' is not an ISO 3166-1 country code"),
    ({"tax_rate": Decimal(-1)}, InvalidData, "Value for field 'tax_rate' is out of bounds, 0 to 1000 is accepted"),
    ({"tax_rate": Decimal("0.00001")}, InvalidData, "Value for field 'tax_rate' has more than 4 decimals"),
    ({"tax_rate": Decimal("NaN")}, InvalidData, "Value for field 'tax_rate' is out of bounds, 0 to 1000 is accepted"),
    ({"tax_rate": "ten"}, InvalidData, "Expected type: 'number' for field 'tax_rate', got: 'ten'"),
    ({"tax_rates": [Rate("us", "ny", Decimal(1)), Rate("us", "US-NY", Decimal(2))]}, TaxRateRepeated,
     "There are two tax rates for 'us-ny'"),
    ({"tax_rates": [Rate("de", "ny", Decimal(1))]}, InvalidData,
     "'ny' of field 'province' is not an ISO 3166-2 province of 'de'"),
    ({"payment_providers": ["pp_gone"]}, PaymentProviderUnknown, "Payment provider with id: pp_gone was not found"),
    ({"metadata": {"a": "\0"}}, InvalidData, "Value for field 'metadata' must not contain NUL characters"),
])  # fmt: skip
def test_a_refusal_changes_nothing(values, refusal, message):
    RegionFactory(name="Asia", countries=["jp"])
    RegionFactory(name="Asia gone", deleted_at=now())
    PaymentProvider.objects.create(id="pp_gone", deleted_at=now())
    region = RegionFactory(name="Africa", countries=["ke"])
    before = stored()
    for act in (lambda: create(**values), lambda: change(region, **values)):
        with pytest.raises(DomainError) as refused:
            act()
        assert (type(refused.value), refused.value.message) == (refusal, message)
        assert stored() == before


@pytest.mark.parametrize("id", ["reg_nobody", "\0"])
def test_an_unknown_region_is_not_found(id):
    with pytest.raises(RegionNotFound):
        regions.update(actor=SYSTEM, region_id=id, name="X")


def test_a_deleted_region_is_not_found():
    with pytest.raises(RegionNotFound):
        change(RegionFactory(deleted_at=now()), name="X")


def test_both_demand_their_permission():
    region = RegionFactory()
    with pytest.raises(Forbidden, match=r"shop\.add_region"):
        regions.create(actor=ANONYMOUS.with_permission("shop.change_region"), name="X", currency_code="eur")
    with pytest.raises(Forbidden, match=r"shop\.change_region"):
        regions.update(actor=ANONYMOUS.with_permission("shop.add_region"), region_id=region.pk, name="X")
