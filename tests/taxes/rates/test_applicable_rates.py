"""Which tax rates apply to goods in a place. The cases are those of docs/decisions/taxes.md."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.values.timestamps import now
from shop.taxes import ApplicableTax, Goods, TaxPlace
from taxes.models import TaxRate, TaxRateRule, TaxRegion
from tests.factories.taxes import tax_rate

pytestmark = pytest.mark.django_db
OWN = 80_000


class Named:
    """Goods that rules can name by their ids alone."""

    def __init__(self, key: str) -> None:
        self.pk = key


VITAMINS, BOOKS, NOVEL, PARCEL = Named("ptyp_vitamins"), Named("ptyp_books"), Named("prod_novel"), Named("so_parcel")
VITAMIN, BOOK, MUG = Goods("prod_c", VITAMINS.pk), Goods(NOVEL.pk, BOOKS.pk), Goods("prod_mug", "ptyp_mugs")
SHIPPING = Goods(shipping_option_id=PARCEL.pk)


@pytest.fixture
def canada() -> None:
    tax_rate("ca", 5, name="GST", code="gst")
    tax_rate("ca", 0, types=[VITAMINS], name="Basic groceries", code="zero")
    tax_rate("ca", 13, "ca-on", name="HST", code="hst")
    tax_rate("ca", 5, "ca-on", types=[BOOKS], name="HST on books", code="hst-books")
    tax_rate("ca", "9.975", "ca-qc", name="QST", code="qst", is_combinable=True)
    tax_rate("ca", 0, "ca-qc", types=[BOOKS], name="QST on books", code="qst-books", is_combinable=True)


def taxes(*goods: Goods, province: str | None = None, country: str | None = "ca") -> list[list[tuple[str, float]]]:
    place = TaxPlace(OWN, country, province)
    return [[(tax.code, tax.rate / 10_000) for tax in applicable] for applicable in place.taxes_on(goods)]


@pytest.mark.parametrize(
    ("province", "vitamins", "book", "mug"),
    [
        ("ca-on", [("zero", 0)], [("hst-books", 5)], [("hst", 13)]),
        ("ca-qc", [("zero", 0), ("qst", 9.975)], [("gst", 5), ("qst-books", 0)], [("gst", 5), ("qst", 9.975)]),
        ("ca-ab", [("zero", 0)], [("gst", 5)], [("gst", 5)]),
        (None, [("zero", 0)], [("gst", 5)], [("gst", 5)]),
    ],
)
def test_goods_come_before_place(canada: None, province: str | None, vitamins: Any, book: Any, mug: Any) -> None:
    assert taxes(VITAMIN, BOOK, MUG, province=province) == [vitamins, book, mug]


def test_a_product_comes_before_its_type_and_a_shipping_option_before_the_default() -> None:
    tax_rate("gb", 20)
    tax_rate("gb", 5, types=[BOOKS], code="books")
    tax_rate("gb", 0, products=[NOVEL], code="novel")
    tax_rate("gb", 1, options=[PARCEL], code="parcel")
    assert taxes(BOOK, Goods("prod_atlas", BOOKS.pk), SHIPPING, Goods(shipping_option_id="so_other"), country="gb") == [
        [("novel", 0)],
        [("books", 5)],
        [("parcel", 1)],
        [("gb", 20)],
    ]


def test_without_a_rate_of_the_place_the_regions_own_applies() -> None:
    tax_rate("gb", 0, types=[BOOKS])
    assert taxes(MUG, BOOK, country="gb") == [[("region", 8)], [("gb", 0)]]
    assert taxes(MUG, country="fr") == taxes(MUG, country=None) == [[("region", 8)]]
    assert TaxPlace(0, "fr").taxes_on([MUG]) == [()]


def test_a_province_without_a_rate_of_its_country_stands_alone() -> None:
    tax_rate("us", "8.875", "us-ny", is_combinable=True)
    assert taxes(MUG, country="us", province="us-ny") == [[("us-ny", 8.875)]]


def test_gift_cards_owe_none(canada: None) -> None:
    assert taxes(Goods(NOVEL.pk, BOOKS.pk, is_giftcard=True), province="ca-qc") == [[]]


def test_a_tax_says_where_it_is_from() -> None:
    rate = tax_rate("de", 7, name="Reduced rate")
    assert TaxPlace(OWN, "de").taxes_on([BOOK]) == [(ApplicableTax(70_000, "de", rate.pk, "Reduced rate", "system"),)]


@pytest.mark.parametrize("model", [TaxRegion, TaxRate, TaxRateRule])
def test_what_was_deleted_does_not_count(model: Any) -> None:
    tax_rate("gb", 0, types=[BOOKS])
    model.objects.update(deleted_at=now())
    assert taxes(BOOK, country="gb") == [[("region", 8)]]


class TestStatements:
    def test_one_reads_the_rates_and_one_the_rules_of_new_goods(self, canada: None) -> None:
        place = TaxPlace(OWN, "ca", "ca-qc")
        assert [self.of(place, [MUG]), self.of(place, [MUG]), self.of(place, [MUG, BOOK, VITAMIN])] == [2, 0, 1]

    def test_without_rates_for_certain_goods_there_is_one(self) -> None:
        tax_rate("gb", 20)
        assert self.of(TaxPlace(OWN, "gb"), [MUG, BOOK, SHIPPING]) == 1

    def test_without_a_country_there_is_none(self, canada: None) -> None:
        assert self.of(TaxPlace(OWN), [MUG, BOOK]) == 0

    def of(self, place: TaxPlace, goods: Sequence[Goods]) -> int:
        with CaptureQueriesContext(connection) as captured:
            place.taxes_on(goods)
        return len(captured)
