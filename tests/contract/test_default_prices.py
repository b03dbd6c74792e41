"""Requests get prices by default only if they name a region, country, currency or cart."""

from collections.abc import Callable

import pytest

from catalog.models import ProductVariant
from shop.models import Region
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.pricing import price

pytestmark = pytest.mark.django_db

PRODUCTS, VARIANTS = "/store/products", "/store/product-variants"


@pytest.fixture
def region() -> Region:
    return make.selling_region(tax_rate=0)


@pytest.fixture
def mug(region: Region) -> ProductVariant:
    variant = make.sold_variant(20)
    price(variant, 18, "eur")
    return variant


CIRCUMSTANCES: dict[str, Callable[[Region], str]] = {
    "region_id": lambda region: f"region_id={region.pk}",
    "country_code": lambda region: "country_code=us",
    "province": lambda region: "province=us-ny",
    "currency_code": lambda region: "currency_code=usd",
    "cart_id": lambda region: f"cart_id={make.cart(region_id=region.pk).pk}",
}


def product(answer: dict[str, object]) -> dict[str, object]:
    (shown,) = answer["products"] if "products" in answer else [answer["product"]]
    return shown


def variant(answer: dict[str, object]) -> dict[str, object]:
    (shown,) = answer["variants"] if "variants" in answer else [answer["variant"]]
    return shown


@pytest.mark.parametrize("named", CIRCUMSTANCES)
def test_context_parameters_add_prices_to_lists_and_singles(
    named: str, store: Caller, region: Region, mug: ProductVariant
) -> None:
    query = CIRCUMSTANCES[named](region)
    for path in (PRODUCTS, f"{PRODUCTS}/{mug.product_id}"):
        (shown,) = product(store.get(path, query).json())["variants"]
        assert (shown["calculated_price"]["calculated_amount"], shown["options"]) == (20, [])
    for path in (VARIANTS, f"{VARIANTS}/{mug.pk}"):
        shown = variant(store.get(path, query).json())
        assert (shown["calculated_price"]["calculated_amount"], shown["options"]) == (20, [])


def test_without_context_parameters_no_price_is_a_default(store: Caller, mug: ProductVariant) -> None:
    for path in (PRODUCTS, f"{PRODUCTS}/{mug.product_id}"):
        (shown,) = product(store.get(path).json())["variants"]
        assert "calculated_price" not in shown
    for path in (VARIANTS, f"{VARIANTS}/{mug.pk}"):
        assert "calculated_price" not in variant(store.get(path).json())


@pytest.mark.parametrize(("fields", "has_price", "has_title"), [
    ("", False, False),
    ("id,variants.id", False, False),
    ("%2Bvariants.inventory_quantity", True, True),
    ("-title", True, False),
    ("-variants.calculated_price", False, True),
    ("*variants", True, True),
    ("id,*variants.calculated_price", True, False),
])  # fmt: skip
def test_the_prices_are_defaults_like_others(
    fields: str, store: Caller, region: Region, mug: ProductVariant, *, has_price: bool, has_title: bool
) -> None:
    shown = product(store.get(PRODUCTS, f"region_id={region.pk}&fields={fields}").json())
    variants = shown.get("variants", [{}])
    assert ("calculated_price" in variants[0], "title" in shown) == (has_price, has_title)
