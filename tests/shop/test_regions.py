"""Opening and changing regions."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.domain.soft_deletion import ValueTaken
from kit.editing.states import Edited, RowsRefused, RowState, VersionOutdated
from kit.errors import Forbidden, InvalidData, NotFound
from kit.values.timestamps import now
from shop.errors import CountryTaken, TaxRateRepeated
from shop.models import Country, PaymentProvider, Region, Store
from shop.regions import regions
from shop.regions.region_taxes import Rate
from taxes.models import TaxRate, TaxRegion
from tests.factories.products import ProductTypeFactory
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate

pytestmark = pytest.mark.django_db


def put(*states: RowState, actor: Actor = SYSTEM) -> list[Edited[Region]]:
    return regions.VERBS.put(actor=actor, states=states)


def create(**values: Any) -> Region:
    (edited,) = put(regions.VERBS.state(**{"name": "Europe", "currency_id": "eur", **values}))
    return edited.row


def change(region: Region, **values: Any) -> Region:
    (edited,) = put(regions.VERBS.state(id=region.pk, **values))
    return edited.row


def countries() -> dict[str, str]:
    return dict(Country.objects.exclude(region=None).values_list("pk", "region__name"))


def rates() -> dict[tuple[str, str | None], Decimal]:
    return {(rate.tax_region.country_id, rate.tax_region.province): rate.rate for rate in TaxRate.objects.all()}


def stored() -> list[Any]:
    """Every row that a region has anything to do with."""
    tables = (Region, Country, TaxRegion, TaxRate, Region.payment_providers.through, Store)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]


def test_a_region_has_what_it_was_opened_with():
    region = create(
        currency_id="eur", countries=["DE", "at"], tax_rate=Decimal(19), is_tax_inclusive=True,
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
    kept = TaxRate.objects.get(tax_region__country="de")
    change(region, countries=["at", "fr"], payment_providers=[],
           tax_rates=[Rate("de", None, Decimal(9)), Rate("fr", None, Decimal(5))])  # fmt: skip
    assert countries() == {"at": "Europe", "fr": "Europe"}
    assert rates() == {("de", None): 9, ("fr", None): 5}
    assert TaxRate.objects.get(tax_region__country="de").pk == kept.pk
    assert region.payment_providers.count() == 0
    change(region, tax_rates=[])
    assert rates() == {("de", None): 9}


def test_a_country_that_leaves_its_region_keeps_its_rates():
    region = create(countries=["de"], tax_rates=[Rate("de", None, Decimal(7))])
    change(region, countries=[], tax_rates=[])
    assert (countries(), rates()) == ({}, {("de", None): 7})


def test_rates_of_another_regions_countries_and_those_that_are_no_default_stay():
    create(name="Asia", countries=["jp"], tax_rates=[Rate("jp", None, Decimal(10))])
    tax_rate("ca", "9.975", "ca-qc", is_combinable=True)
    tax_rate("ca", 0, types=[ProductTypeFactory()])
    create(countries=["ca"], tax_rates=[Rate("jp", None, Decimal(1)), Rate("ca", None, Decimal(5))])
    assert set(TaxRate.objects.values_list("rate", flat=True)) == {0, 10, 5, Decimal("9.975")}


def test_metadata_are_replaced():
    region = create(metadata={"a": 1, "b": 2})
    assert change(region, metadata={"c": 3}).metadata == {"c": 3}
    assert change(region, metadata=None).metadata is None


def test_a_country_moves_between_two_regions_of_a_batch():
    one, other = create(countries=["de"]), create(name="Alps", countries=["at"])
    put(regions.VERBS.state(id=one.pk, countries=["at"]), regions.VERBS.state(id=other.pk, countries=["de"]))
    assert countries() == {"at": "Europe", "de": "Alps"}


def test_a_batch_costs_the_same_whatever_its_size():
    codes = iter(Country.objects.values_list("pk", flat=True))

    def statements(amount: int, **values: Any) -> int:
        new = [
            regions.VERBS.state(
                name=code,
                currency_id="eur",
                countries=[code],
                tax_rates=[Rate(code, None, Decimal(1))],
                payment_providers=["pp_system_default"],
            )
            for _, code in zip(range(amount), codes, strict=False)
        ]
        with CaptureQueriesContext(connection) as captured:
            edited = put(*new)
            put(
                *(
                    regions.VERBS.state(id=one.row.pk, name=f"{one.row.name}!", countries=[], tax_rates=[])
                    for one in edited
                )
            )
        return len(captured)

    create()
    assert statements(60) == statements(5)


def test_a_region_that_has_changed_since_it_was_read_is_not_overwritten():
    region = create()
    change(region, name="EU")
    with pytest.raises(RowsRefused) as refused:
        change(region, version=region.created_at, name="Old World")
    assert isinstance(refused.value.faults[0].error, VersionOutdated)
    assert Region.objects.get().name == "EU"
    read = Region.objects.get()
    assert change(read, version=read.updated_at, name="Old World").name == "Old World"


def test_the_countries_of_a_deleted_region_are_free():
    RegionFactory(name="Atlantis", countries=["de"], deleted_at=now())
    create(countries=["de"])
    assert countries() == {"de": "Europe"}


@pytest.mark.parametrize(("values", "field", "refusal", "message"), [
    ({"name": "Asia"}, "name", ValueTaken, "Region with name: Asia already exists"),
    ({"name": " "}, "name", InvalidData, "Value for field 'name' must not be blank"),
    ({"currency_id": "zzz"}, "currency", InvalidData,
     "Currency with id: zzz was not found, given by field 'currency_id'"),
    ({"countries": ["de", "jp"]}, "countries", CountryTaken,
     "Country with code: jp already belongs to the region 'Asia'"),
    ({"countries": ["zz"]}, "countries", InvalidData, "'zz' of field 'countries' is not an ISO 3166-1 country code"),
    ({"tax_rate": Decimal(-1)}, "tax_rate", InvalidData,
     "Value for field 'tax_rate' is out of bounds, 0 to 1000 is accepted"),
    ({"tax_rate": Decimal("0.00001")}, "tax_rate", InvalidData, "Value for field 'tax_rate' has more than 4 decimals"),
    ({"tax_rate": Decimal("NaN")}, "tax_rate", InvalidData,
     "Value for field 'tax_rate' is out of bounds, 0 to 1000 is accepted"),
    ({"tax_rates": [Rate("us", "ny", Decimal(1)), Rate("us", "US-NY", Decimal(2))]}, "tax_rates", TaxRateRepeated,
     "There are two tax rates for 'us-ny'"),
    ({"tax_rates": [Rate("de", "ny", Decimal(1))]}, "tax_rates", InvalidData,
     "'ny' of field 'province' is not an ISO 3166-2 province of 'de'"),
    ({"payment_providers": ["pp_gone"]}, "payment_providers", InvalidData,
     "Payment provider with id: pp_gone was not found, given by field 'payment_providers'"),
    ({"metadata": {"a": "\0"}}, "metadata", InvalidData, "Value for field 'metadata' must not contain NUL characters"),
])  # fmt: skip
def test_a_refusal_changes_nothing(values, field, refusal, message):
    RegionFactory(name="Asia", countries=["jp"])
    RegionFactory(name="Asia gone", deleted_at=now())
    PaymentProvider.objects.create(id="pp_gone", deleted_at=now())
    region = RegionFactory(name="Africa", countries=["ke"])
    before = stored()
    for act in (lambda: create(**values), lambda: change(region, **values)):
        with pytest.raises(RowsRefused) as refused:
            act()
        (fault,) = refused.value.faults
        assert (fault.field, type(fault.error), fault.error.message) == (field, refusal, message)
        assert stored() == before


@pytest.mark.parametrize("id", ["reg_nobody", "\0"])
def test_an_unknown_region_is_not_found(id):
    with pytest.raises(NotFound):
        put(regions.VERBS.state(id=id, name="X"))


def test_a_deleted_region_is_not_found():
    with pytest.raises(NotFound):
        change(RegionFactory(deleted_at=now()), name="X")


def test_both_demand_their_permission():
    region = RegionFactory()
    with pytest.raises(Forbidden, match=r"shop\.add_region"):
        put(regions.VERBS.state(name="X", currency_id="eur"), actor=ANONYMOUS.with_permission("shop.change_region"))
    with pytest.raises(Forbidden, match=r"shop\.change_region"):
        put(regions.VERBS.state(id=region.pk, name="X"), actor=ANONYMOUS.with_permission("shop.add_region"))
