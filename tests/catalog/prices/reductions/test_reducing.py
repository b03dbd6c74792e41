"""Reductions fill a price list with reduced prices, and bring it up to date when they are repeated."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Price, PriceList, Product, ProductCategory, ProductCollection, ProductVariant
from catalog.prices.reductions import reducing
from catalog.prices.reductions.reducing import Counts, reduce_next
from catalog.prices.reductions.reduction import MOST, Reduction, reductions_of, replace_reductions
from kit.errors import Forbidden, InvalidData, NotFound
from kit.values.timestamps import now
from tests.catalog.prices.reductions.sales import STAFF, amounts, listed, reduce, repeat, sold
from tests.docs.pages import DOCS, section
from tests.factories.actors import staff_actor
from tests.factories.catalog import CategoryFactory
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


class TestTheFirstTime:
    def test_each_price_is_reduced_and_rounded_with_its_quantities_and_rules(self) -> None:
        tea, europe, sale = VariantFactory(), RegionFactory(currency_id="eur"), PriceListFactory()
        price(tea, "12.95")
        price(tea, "11", min_quantity=5)
        price(tea, "10", "eur", region=europe)
        price(tea, "1995", "jpy")
        price(tea, "1", price_list=PriceListFactory())
        price(VariantFactory(), "50")
        assert reduce(sale, products=[tea.product]) == Counts(added=4)
        assert listed(sale) == [
            ("eur", Decimal(9), None, [f"region_id eq {europe.pk}"]),
            ("jpy", Decimal(1796), None, []),  # 1795.5, half-up
            ("usd", Decimal("9.9"), 5, []),
            ("usd", Decimal("11.66"), None, []),  # 11.655, half-up
        ]

    def test_amounts_are_those_of_the_guide(self) -> None:
        text = section(DOCS / "promotions.md", "## A sale or a promotion?")
        rows = re.findall(r"^\| ([\d.]+) ([a-z]{3}) \| ([\d.]+)% \| ([\d.]+) ([a-z]{3}) \|$", text, re.MULTILINE)
        assert len(rows) == 7
        for regular, currency_code, percent, reduced, same in rows:
            tea, sale = VariantFactory(), PriceListFactory()
            price(tea, regular, currency_code)
            reduce(sale, percent, products=[tea.product])
            assert listed(sale) == [(same, Decimal(reduced), None, [])]

    def test_prices_that_the_list_has_are_changed(self) -> None:
        tea, sale = sold("20"), PriceListFactory()
        mine = price(tea, "19", price_list=sale)
        more = price(tea, "15", price_list=sale, min_quantity=10)
        assert reduce(sale, "25", products=[tea.product]) == Counts(changed=1)
        assert listed(sale) == [("usd", Decimal(15), None, []), ("usd", Decimal(15), 10, [])]
        assert {one.pk for one in Price.objects.filter(price_list=sale)} == {mine.pk, more.pk}
        assert reduce(sale, "25", products=[tea.product]) == Counts(same=1)

    @pytest.mark.parametrize("percent", ["0", "100", "-1"])
    def test_a_percentage_is_above_0_and_below_100(self, percent: str) -> None:
        with pytest.raises(InvalidData, match="above 0 and below 100"):
            Reduction(Decimal(percent), {})


class TestGoods:
    def test_they_are_named_by_groups_any_of_which_is_enough(self) -> None:
        spring, tag, pot = ProductCollectionFactory(), ProductTagFactory(), ProductTypeFactory()
        tea = CategoryFactory(name="Tea")
        green = CategoryFactory(name="Green", parent=tea)
        sold("10", title="In the collection", collection=spring)
        sold("10", title="Tagged", tags=[tag, ProductTagFactory()])
        sold("10", title="A pot", type=pot)
        sold("10", title="Of the category", categories=[tea])
        sold("10", title="Of one below", categories=[green, tea])
        named = sold("10", title="Named")
        sold("10", title="None", collection=ProductCollectionFactory(), categories=[CategoryFactory()])
        sale = PriceListFactory()
        goods: dict[str, Any] = {"collections": [spring], "tags": [tag], "types": [pot], "categories": [tea]}
        assert reduce(sale, products=[named.product], **goods) == Counts(added=6)
        assert set(amounts(sale)) == {
            *("In the collection", "Tagged", "A pot", "Of the category", "Of one below", "Named")
        }

    def test_without_any_all_products_are_reduced(self) -> None:
        sale = PriceListFactory()
        for amount in (10, 20):
            sold(amount)
        assert reduce(sale) == Counts(added=2)
        assert [amount for _, amount, _, _ in listed(sale)] == [Decimal(9), Decimal(18)]

    @pytest.mark.parametrize("what", [ProductVariant, Product, ProductCollection])
    def test_deleted_ones_are_not_reduced(self, what: Any) -> None:
        spring, sale = ProductCollectionFactory(), PriceListFactory()
        sold("10", collection=spring)
        what.objects.update(deleted_at=now())
        assert reduce(sale, collections=[spring]) == Counts()

    def test_a_deleted_category_names_none(self) -> None:
        tea, sale = CategoryFactory(), PriceListFactory()
        sold("10", categories=[CategoryFactory(parent=tea)])
        ProductCategory.objects.update(deleted_at=now(), in_deleted_branch=True)
        assert reduce(sale, categories=[tea]) == Counts()


class TestRepeating:
    def test_a_list_follows_its_goods_and_their_prices(self) -> None:
        spring, sale = ProductCollectionFactory(), PriceListFactory()
        same = sold("10", title="Same", collection=spring)
        dearer = sold("20", title="Dearer", collection=spring)
        gone = sold("30", title="Gone", collection=spring)
        foreign = price(same, "8", "eur")
        assert reduce(sale, "25", collections=[spring]) == Counts(added=4)
        Price.objects.filter(price_list=None, price_set=dearer.price_set).update(amount=Decimal("20.02"))
        Product.objects.filter(pk=gone.product_id).update(collection=None)
        foreign.delete()
        sold("40", title="New", collection=spring)
        sold("50", title="Elsewhere")
        assert repeat(sale) == Counts(added=1, changed=1, removed=2, same=1)
        assert amounts(sale) == {"Same": "7.5", "Dearer": "15.02", "New": "30"}  # 15.015, half-up
        assert repeat(sale) == Counts(same=3)

    def test_what_staff_have_set_by_hand_stays(self) -> None:
        spring, sale = ProductCollectionFactory(), PriceListFactory()
        sold("10", title="Corrected", collection=spring)
        left = sold("20", title="Left", collection=spring)
        added = sold("30", title="Added")
        reduce(sale, collections=[spring])
        Price.objects.filter(price_list=sale).update(amount=Decimal(5))
        price(added, "25", price_list=sale)
        Product.objects.filter(pk=left.product_id).update(collection=None)
        assert repeat(sale) == Counts(kept=1)
        assert amounts(sale) == {"Corrected": "5", "Left": "5", "Added": "25"}
        assert reduce(sale, collections=[spring]) == Counts(changed=1)
        assert amounts(sale) == {"Corrected": "9", "Left": "5", "Added": "25"}

    def test_of_several_reductions_the_last_one_that_names_a_product_holds(self) -> None:
        spring, tag, sale = ProductCollectionFactory(), ProductTagFactory(), PriceListFactory()
        sold("10", title="Spring", collection=spring)
        both = sold("10", title="Both", collection=spring, tags=[tag])
        reduce(sale, "10", collections=[spring])
        assert reduce(sale, "50", tags=[tag]) == Counts(changed=1)
        assert repeat(sale) == Counts(same=2)
        assert amounts(sale) == {"Spring": "9", "Both": "5"}
        both.product.tags.clear()
        assert repeat(sale) == Counts(changed=1, same=1)
        assert amounts(sale) == {"Spring": "9", "Both": "9"}

    def test_one_for_the_same_goods_replaces_the_former(self) -> None:
        spring, sale = ProductCollectionFactory(), PriceListFactory()
        sold("10", title="Spring", collection=spring)
        reduce(sale, "10", collections=[spring])
        reduce(sale, "20", collections=[spring])
        sale.refresh_from_db()
        assert [one.percent for one in reductions_of(sale)] == [20]
        assert amounts(sale) == {"Spring": "8"}

    def test_the_prices_of_an_ended_one_go(self) -> None:
        spring, tag, sale = ProductCollectionFactory(), ProductTagFactory(), PriceListFactory()
        sold("10", title="Spring", collection=spring)
        sold("10", title="Tagged", tags=[tag])
        reduce(sale, collections=[spring])
        reduce(sale, "20", tags=[tag])
        sale.refresh_from_db()
        replace_reductions(actor=STAFF, price_list_id=sale.pk, end=reductions_of(sale)[:1])
        assert repeat(sale) == Counts(removed=1, same=1)
        assert amounts(sale) == {"Tagged": "8"}

    def test_a_list_has_a_limited_number(self) -> None:
        sale, product = PriceListFactory(), ProductFactory()
        PriceList.objects.update(reductions=[{"percent": "5", "goods": {"tags": [str(n)]}} for n in range(MOST)])
        with pytest.raises(InvalidData, match="at most 20 reductions"):
            reduce(sale, products=[product])


def test_batches_continue_behind_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reducing, "BATCH", 2)
    sale, after, seen = PriceListFactory(), "", []
    for amount in range(10, 15):
        sold(amount)
    reduce(sale)
    while after is not None:
        step = reduce_next(actor=STAFF, price_list_id=sale.pk, only=None, after=after)
        seen.append((step.variants, step.counts))
        after = step.last
    assert seen == [(2, Counts(same=2)), (2, Counts(added=2)), (1, Counts(added=1))]


def test_the_number_of_statements_does_not_depend_on_that_of_prices() -> None:
    europe, numbers = RegionFactory(currency_id="eur"), []
    for count in (2, 30):
        category, sale = CategoryFactory(), PriceListFactory()
        products = [ProductFactory(categories=[category]) for _ in range(count)]
        for product in products:
            price(VariantFactory(product=product), 10, region=europe)
        reduce(sale, categories=[category])
        Price.objects.filter(price_list=None).update(amount=Decimal(20))
        for product in products[: count // 2]:
            product.categories.clear()
        with CaptureQueriesContext(connection) as statements:
            assert repeat(sale) == Counts(changed=count // 2, removed=count // 2)
        numbers.append(len(statements))
    assert numbers[0] == numbers[1] <= 40


@pytest.mark.parametrize("missing", ["catalog.add_price", "catalog.change_price", "catalog.delete_price"])
def test_it_takes_the_permissions_of_prices(missing: str) -> None:
    spring, sale = ProductCollectionFactory(), PriceListFactory()
    stays, leaves = sold("10", collection=spring), sold("10", collection=spring)
    reduce(sale, collections=[spring])
    Product.objects.filter(pk=leaves.product_id).update(collection=None)
    Price.objects.filter(price_set=stays.price_set, price_list=None).update(amount=20)
    sold("10", collection=spring)
    before = listed(sale)
    names = {"catalog.add_price", "catalog.change_price", "catalog.delete_price"} - {missing}
    with pytest.raises(Forbidden):
        reduce_next(actor=staff_actor(*names), price_list_id=sale.pk, only=None)
    assert listed(sale) == before


def test_a_deleted_list_is_missing() -> None:
    sale = PriceListFactory(deleted_at=now())
    with pytest.raises(NotFound):
        repeat(sale)
    with pytest.raises(NotFound):
        reduce(sale)
