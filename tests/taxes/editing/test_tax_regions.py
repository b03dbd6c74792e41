"""Tax regions by their verbs."""

import pytest

from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.domain.soft_deletion import NotDeleted, ParentDeleted, ValueTaken
from kit.editing.states import RowsRefused, RowState
from kit.errors import Duplicate, Forbidden, NotFound
from shop.regions.region_taxes import COUNTRY_RATES
from taxes.editing import tax_region_editing
from taxes.editing.tax_region_editing import VERBS
from taxes.models import TaxRate, TaxRateRule, TaxRegion
from tests.factories.products import ProductTypeFactory
from tests.factories.taxes import tax_rate, tax_region

pytestmark = pytest.mark.django_db


def put(*states: RowState) -> list[TaxRegion]:
    return [edited.row for edited in VERBS.put(actor=SYSTEM, states=states)]


def refused(*states: RowState) -> list[tuple[int, str, str]]:
    before = [*TaxRegion.objects.order_by("pk").values()]
    with pytest.raises(RowsRefused) as refusal:
        put(*states)
    assert [*TaxRegion.objects.order_by("pk").values()] == before
    return [(fault.index, fault.field, fault.error.message) for fault in refusal.value.faults]


def living() -> list[tuple[str, str | None]]:
    rows = TaxRegion.objects.not_deleted().order_by("country", "province")
    return sorted(rows.values_list("country_id", "province"), key=str)


@pytest.mark.parametrize("province", ["ca-qc", "QC", "Québec", "quebec"])
def test_a_province_is_kept_by_its_code_below_its_country_which_is_made(province: str) -> None:
    [quebec] = put(tax_region_editing.VERBS.state(country_id="ca", province=province, metadata={"a": 1}))
    assert (quebec.province, quebec.metadata, quebec.parent.country_id) == ("ca-qc", {"a": 1}, "ca")
    assert living() == [("ca", "ca-qc"), ("ca", None)]


def test_a_country_and_its_provinces_come_in_any_order_in_one_call() -> None:
    ontario, canada, quebec = put(
        tax_region_editing.VERBS.state(country_id="ca", province="on"),
        tax_region_editing.VERBS.state(country_id="ca"),
        tax_region_editing.VERBS.state(country_id="ca", province="qc"),
    )
    assert {ontario.parent_id, quebec.parent_id} == {canada.pk}
    assert TaxRegion.objects.count() == 3


def test_a_place_has_one_tax_region() -> None:
    tax_region("ca", "ca-qc")
    assert refused(
        tax_region_editing.VERBS.state(country_id="ca"),
        tax_region_editing.VERBS.state(country_id="ca", province="Quebec"),
        tax_region_editing.VERBS.state(country_id="de"),
        tax_region_editing.VERBS.state(country_id="de"),
        tax_region_editing.VERBS.state(country_id="de", province="Bavaria"),
        tax_region_editing.VERBS.state(country_id="de", province="by"),
    ) == [
        (0, "country", "Tax region with country: Canada already exists"),
        (3, "country", "Tax region with country: Germany already exists"),
        (1, "province", "Tax region with province: ca-qc already exists"),
        (5, "province", "Tax region with province: de-by already exists"),
    ]


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        (
            {"country_id": "ca", "province": "us-ny"},
            "province",
            "'us-ny' of field 'province' is not an ISO 3166-2",
        ),
        ({"country_id": "ca", "province": "x" * 500}, "province", "of field 'province' is not an ISO 3166-2"),
        ({"country_id": "zz"}, "country", "Country with id: zz was not found, given by field 'country_id'"),
        ({}, "country", "Field 'country' is required"),
        ({"province": "ny"}, "country", "Field 'country' is required"),
    ],
)
def test_what_is_no_place_is_refused(given: dict, field: str, message: str) -> None:
    faults = refused(tax_region_editing.VERBS.state(**given))
    assert any(each[1] == field and message in each[2] for each in faults), faults


def test_country_and_level_cannot_be_changed() -> None:
    germany, quebec = tax_region("de"), tax_region("ca", "ca-qc")
    assert refused(
        tax_region_editing.VERBS.state(id=germany.pk, country_id="fr"),
        tax_region_editing.VERBS.state(id=quebec.pk, province=None),
    ) == [
        (0, "country", "Field 'country_id' of a stored tax region cannot be changed"),
        (1, "province", "Field 'province' cannot be null: this is the tax region of a province"),
    ]
    assert refused(tax_region_editing.VERBS.state(id=germany.pk, province="by")) == [
        (0, "province", "Field 'province' cannot be set: this is the tax region of a country")
    ]
    put(tax_region_editing.VERBS.state(id=quebec.pk, province="Ontario", metadata={"b": 2}))
    quebec.refresh_from_db()
    assert (quebec.province, quebec.metadata) == ("ca-on", {"b": 2})


def test_deleting_and_restoring_a_country_includes_provinces_rates_and_rules() -> None:
    tax_rate("ca", 5)
    tax_rate("ca", 9.975, "ca-qc", types=[ProductTypeFactory()])
    gone = tax_rate("ca", 13, "ca-on")
    VERBS.delete(actor=SYSTEM, ids=[gone.tax_region_id])
    canada = tax_region("ca")
    tables = (TaxRegion, TaxRate, TaxRateRule)
    VERBS.delete(actor=SYSTEM, ids=[canada.pk])
    assert [table.objects.not_deleted().count() for table in tables] == [0, 0, 0]
    VERBS.restore(actor=SYSTEM, ids=[canada.pk])
    assert [table.objects.not_deleted().count() for table in tables] == [2, 2, 1]
    assert living() == [("ca", "ca-qc"), ("ca", None)]
    VERBS.restore(actor=SYSTEM, ids=[gone.tax_region_id])
    assert [table.objects.not_deleted().count() for table in tables] == [3, 3, 1]


def test_restore_refuses_conflicts() -> None:
    canada, quebec = tax_region("ca"), tax_region("ca", "ca-qc")
    with pytest.raises(NotDeleted):
        VERBS.restore(actor=SYSTEM, ids=[quebec.pk])
    VERBS.delete(actor=SYSTEM, ids=[canada.pk])
    with pytest.raises(ParentDeleted):
        VERBS.restore(actor=SYSTEM, ids=[quebec.pk])
    tax_region("ca", "ca-qc")
    with pytest.raises(ValueTaken, match="Tax region with country: Canada already exists"):
        VERBS.restore(actor=SYSTEM, ids=[canada.pk])
    assert TaxRegion.objects.not_deleted().count() == 2


def test_a_province_does_not_return_with_a_code_that_its_country_has_taken() -> None:
    tax_rate("ca", 5, code="gst")
    quebec = tax_rate("ca", 9.975, "ca-qc", is_combinable=True, code="qst")
    VERBS.delete(actor=SYSTEM, ids=[quebec.tax_region_id])
    TaxRate.objects.filter(code="gst").update(code="qst")
    with pytest.raises(Duplicate, match="The rate 'VAT' already has the code 'qst'"):
        VERBS.restore(actor=SYSTEM, ids=[quebec.tax_region_id])


def test_permissions_are_required() -> None:
    region = tax_region("de")
    for work in (
        lambda: VERBS.put(actor=ANONYMOUS, states=[tax_region_editing.VERBS.state(country_id="fr")]),
        lambda: VERBS.delete(actor=ANONYMOUS, ids=[region.pk]),
        lambda: VERBS.restore(actor=ANONYMOUS, ids=[region.pk]),
    ):
        with pytest.raises(Forbidden):
            work()


@pytest.mark.parametrize("id", ["txreg_none", "a\0b"])
def test_an_unknown_id_is_named_in_the_error(id: str) -> None:
    for work in (
        lambda: put(tax_region_editing.VERBS.state(id=id)),
        lambda: VERBS.delete(actor=SYSTEM, ids=[id]),
        lambda: VERBS.restore(actor=SYSTEM, ids=[id]),
    ):
        with pytest.raises(NotFound):
            work()


def test_a_shop_file_of_an_older_version_replaces_a_default_that_is_added() -> None:
    """A region's `tax_rates` say what holds instead of the country's rate."""
    tax_rate("ca", 5)
    added = tax_rate("ca", 9.975, "ca-qc", is_combinable=True)
    rates = COUNTRY_RATES.get()
    assert rates.of(["ca"]) == {"ca": {None: 5}}
    assert rates.replace({"ca": {None: 5}}) == set()
    assert rates.replace({"ca": {None: 5, "ca-qc": 15}}) == {"ca"}
    assert rates.of(["ca"]) == {"ca": {None: 5, "ca-qc": 15}}
    assert not TaxRate.objects.get(pk=added.pk).is_combinable
