"""Products in the order of their prices. The rules of the order: tests/properties/test_price_order.py."""

from typing import Any

import pytest

from kit.reads import computed_orders
from shop.models import Region
from tests.contract.callers import Caller, refusal
from tests.factories.carts import selling_region
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.graphql.calls import ask, data, failures

pytestmark = pytest.mark.django_db

ORDER = "variants.calculated_price"
AMOUNTS: dict[str, list[Any]] = {"Dear": [30, 20], "Cheap": [50, 10], "Fair": [15], "Free": [], "None": [None]}
"""By title, the prices of a product's variants."""


@pytest.fixture
def region() -> Region:
    for title, amounts in AMOUNTS.items():
        product = ProductFactory(title=title)
        for amount in amounts:
            variant = VariantFactory(product=product)
            if amount is not None:
                price(variant, amount)
    return selling_region()


def titles(caller: Caller, query: str) -> list[str]:
    response = caller.get("/store/products", query)
    assert response.status_code == 200, response.content
    return [product["title"] for product in response.json()["products"]]


def test_products_are_sorted_by_their_lowest_price_and_stand_last_without_one(store: Caller, region: Region) -> None:
    for where in (f"region_id={region.pk}", "country_code=us", "currency_code=usd"):
        assert titles(store, f"{where}&order={ORDER}&fields=title") == ["Cheap", "Fair", "Dear", "Free", "None"]
        assert titles(store, f"{where}&order=-{ORDER}&fields=title") == ["Dear", "Fair", "Cheap", "None", "Free"]
    assert titles(store, f"currency_code=eur&order={ORDER}") == [*AMOUNTS]


def test_the_order_is_paged_filtered_and_searched_as_any_other(store: Caller, region: Region) -> None:
    where = f"region_id={region.pk}&order={ORDER}"
    response = store.get("/store/products", f"{where}&limit=2&offset=1").json()
    assert ([each["title"] for each in response["products"]], response["count"]) == (["Fair", "Dear"], 5)
    assert titles(store, f"{where}&title[]=Dear&title[]=Cheap") == ["Cheap", "Dear"]
    assert titles(store, f"{where}&q=air") == ["Fair"]
    assert titles(store, f"{where}&$or[0][q]=dear&$or[1][title]=Cheap") == ["Cheap", "Dear"]
    beyond = store.get("/store/products", f"{where}&offset=9").json()
    assert (beyond["products"], beyond["count"]) == ([], 5)
    nothing = store.get("/store/products", f"{where}&limit=0").json()
    assert (nothing["products"], nothing["count"]) == ([], 5)
    assert titles(store, f"{where}&title=Nobody") == []


def test_the_order_shows_nothing_of_prices_that_the_caller_does_not_see(store: Caller, region: Region) -> None:
    """A region's own price, and that of a deleted variant, sort nobody else's list."""
    elsewhere = selling_region(countries=[])
    product = ProductFactory(title="Split")
    price(VariantFactory(product=product), 12, region=region)
    price(product.variants.get(), 40)
    price(VariantFactory(product=product, deleted_at=product.created_at), 1)
    assert titles(store, f"region_id={region.pk}&order={ORDER}")[:3] == ["Cheap", "Split", "Fair"]
    assert titles(store, f"region_id={elsewhere.pk}&order={ORDER}")[:4] == ["Cheap", "Fair", "Dear", "Split"]


def test_it_needs_price_circumstances(store: Caller, region: Region) -> None:
    expected = (
        "Order field variants.calculated_price needs one of the fields "
        "'region_id', 'country_code', 'province', 'currency_code', 'cart_id'"
    )
    for order in (ORDER, f"-{ORDER}"):
        assert refusal(store.get("/store/products", f"order={order}")) == (400, expected)
    assert refusal(store.get("/store/product-variants", f"region_id={region.pk}&order={ORDER}")) == (
        400,
        "Order field variants.calculated_price is not valid",
    )


def test_it_sorts_no_more_rows_than_a_request_may_take(
    store: Caller, region: Region, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computed_orders, "MOST_ROWS", 4)
    message = "Order field variants.calculated_price sorts at most 4 rows: add a filter"
    for page in ("", "&offset=3", "&offset=4", "&offset=5000"):
        assert refusal(store.get("/store/products", f"region_id={region.pk}&order={ORDER}{page}")) == (400, message)
    assert len(titles(store, f"region_id={region.pk}&order={ORDER}&title[]=Dear&title[]=Cheap")) == 2


def test_graphql_sorts_in_the_same_way(store: Caller, region: Region) -> None:
    document = (
        "query ($order: String, $region: ID) { products(order: $order, regionId: $region) { products { title } } }"
    )
    for order, first in {"variants.calculatedPrice": "Cheap", "-variants.calculatedPrice": "Dear"}.items():
        found = data(ask(store, document, {"order": order, "region": region.pk}))["products"]["products"]
        assert found[0] == {"title": first}
    ((path, message, _),) = failures(ask(store, document, {"order": "variants.calculatedPrice"}))
    assert path == "products"
    assert message.startswith("Order field variants.calculated_price needs one of the fields 'region_id'")
