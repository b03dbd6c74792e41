import copy
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from catalog.models import Price, PriceList, PriceListRule, PriceRule, PriceSet, ProductVariant
from catalog.rule_attributes import OF_BUYERS
from catalog.shop_file import price_lists
from shop.models import Region
from tests.operations.shop_file_runs import ShopFiles, everything
from tests.operations.tea_shop import SALE, shop

pytestmark = pytest.mark.django_db


@pytest.fixture
def tea(files: ShopFiles) -> ShopFiles:
    files.load(shop())
    return files


def with_sale(**fields: Any) -> dict[str, Any]:
    return {"price_lists": [{**copy.deepcopy(SALE), **fields}]}


def price(**fields: Any) -> dict[str, Any]:
    return {"sku": "SENCHA-50", "currency_code": "eur", "amount": 1, **fields}


def listed() -> set[tuple[Any, ...]]:
    prices = Price.objects.filter(price_list__title="Harvest sale")
    return set(prices.values_list("price_set__variant__sku", "currency_id", "amount", "min_quantity"))


def test_a_list_has_its_dates_rules_and_prices_by_sku(tea: ShopFiles):
    sale = PriceList.objects.get()
    assert (sale.title, sale.description, sale.type, sale.status) == ("Harvest sale", "A week in May", "sale", "active")
    assert (sale.starts_at, sale.ends_at) == (datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 8, tzinfo=UTC))
    assert list(PriceListRule.objects.values_list("attribute", "value")) == [
        ("customer.groups.id", ["regulars", "staff"])
    ]
    assert listed() == {
        ("SENCHA-50", "eur", Decimal("7.25"), None),
        ("SENCHA-50", "eur", Decimal(7), 5),
        ("SENCHA-50-B", "usd", Decimal(6), None),
    }
    america = Region.objects.get(name="America")
    assert PriceRule.objects.get(price__price_list=sale).value == america.pk


def test_a_variant_without_prices_gets_a_price_set(tea: ShopFiles):
    assert ProductVariant.objects.get(sku="SENCHA-50-B").price_set is not None
    assert PriceSet.objects.filter(variant=None, shipping_option=None).count() == 0


def test_a_list_without_more_is_a_draft_sale(files: ShopFiles):
    files.load({"price_lists": [{"title": "Later"}]})
    later = PriceList.objects.get()
    assert (later.type, later.status, later.starts_at, later.prices.count()) == ("sale", "draft", None, 0)


def test_the_prices_given_are_all_that_a_list_has(tea: ShopFiles):
    base = Price.objects.filter(price_list=None).count()
    assert tea.load(with_sale(prices=[price(amount=7.25)])) == ["price_lists: 0 created, 1 updated, 0 unchanged"]
    assert listed() == {("SENCHA-50", "eur", Decimal("7.25"), None)}
    assert Price.objects.filter(price_list=None).count() == base


def test_prices_that_no_sku_names_are_left_alone(tea: ShopFiles):
    bare = Price.objects.create(
        price_set=PriceSet.objects.create(), price_list=PriceList.objects.get(), currency_id="eur", amount=3
    )
    before = everything()
    tea.load(tea.dump())
    assert everything() == before
    assert Price.objects.filter(pk=bare.pk).exists()


def test_fields_left_out_mean_no_change(tea: ShopFiles):
    before = everything()
    tea.load({"price_lists": [{"title": "Harvest sale"}]})
    assert everything() == before


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"title": ""}, "title: must not be blank"),
        ({"type": "gift"}, 'type: expected sale or override, got "gift"'),
        ({"ends_at": "2026-05-01T00:00:00Z"}, "ends_at: The end must be after the start."),
        ({"starts_at": "tomorrow"}, 'starts_at: expected a date and time like 2026-01-31T12:00:00Z, got "tomorrow"'),
        ({"rules": {"region_id": "staff"}}, 'rules.region_id: expected a list, got "staff"'),
        ({"rules": {"item_totl": ["5"]}}, f"rules.item_totl: expected {' or '.join(OF_BUYERS)} as the name"),
        ({"prices": [price(sku="MOON")]}, "prices[0].sku: there is no product variant 'MOON'"),
        ({"prices": [{"currency_code": "eur", "amount": 1}]}, "prices[0].sku: is required"),
        (
            {"prices": [price(amount=0.001)]},
            "prices[0].amount: Value for field 'amount' has more than 2 decimals of eur",
        ),
        (
            {"prices": [price(), price(amount=2)]},
            "prices[1]: has the same sku, currency, quantities and rules as another price of the list",
        ),
    ],
)
def test_what_is_wrong_is_reported_by_its_path(tea: ShopFiles, fields: dict[str, Any], problem: str):
    assert tea.refused(with_sale(**fields)) == [f"price_lists[0].{problem}"]


def test_a_dump_reads_a_lists_prices_in_batches(tea: ShopFiles, monkeypatch: pytest.MonkeyPatch):
    sale, green = PriceList.objects.get(), ProductVariant.objects.get(sku="SENCHA-50")
    Price.objects.create(price_set=green.price_set, price_list=sale, currency_id="eur", amount=3)  # one too many
    asked: list[list[str]] = []
    read = price_lists.ListPrices.__init__

    def noted(self: Any, parents: Any, *, price_sets: Any = None) -> None:
        asked.append(price_sets)
        read(self, parents, price_sets=price_sets)

    monkeypatch.setattr(price_lists, "BATCH", 1)
    monkeypatch.setattr(price_lists.ListPrices, "__init__", noted)
    dumped = tea.dump()["price_lists"][0]["prices"]
    monkeypatch.undo()
    assert [len(price_sets) for price_sets in asked] == [1, 1]
    assert sorted(dumped, key=str) == sorted(SALE["prices"], key=str)
