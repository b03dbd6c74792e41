"""A region says that prices include tax, and all prices are those of its currency."""

from typing import Any

import pytest

from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db
EUROPE = {"name": "Europe", "currency_code": "eur", "countries": ["de"], "is_tax_inclusive": True}


def shop(*prices: dict[str, Any]) -> dict[str, Any]:
    variants = [{"title": "Bag", "sku": "TEA", "prices": list(prices)}]
    return {"regions": [EUROPE], "products": [{"title": "Tea", "variants": variants}]}


def warnings(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("The region")]


def test_it_is_named_after_the_load(files: ShopFiles) -> None:
    [warning] = warnings(files.load(shop({"currency_code": "eur", "amount": 5})))
    start = "The region 'Europe' has no price that its `is_tax_inclusive` could apply to: "
    assert warning == f"{start}its prices are as eur states them."


def test_not_with_a_price_of_its_own_or_a_currency_that_agrees(files: ShopFiles) -> None:
    assert not warnings(files.load(shop({"currency_code": "eur", "amount": 5, "region": "Europe"})))
    files.load({"products": [{"title": "Tea", "variants": [{"sku": "TEA", "prices": []}]}]})
    assert warnings(files.load({"regions": [EUROPE]}))
    agreeing = {"currencies": [{"code": "eur", "is_tax_inclusive": True}]}
    assert not warnings(files.load({**agreeing, "regions": [EUROPE]}))
