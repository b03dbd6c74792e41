"""`explain_read` prints the statements that the same request runs, and leads to the lines that made them."""

import re
from io import StringIO

import pytest
import sqlparse
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.request import Request

from apikeys.issuance import IssuedKey
from catalog.api.viewsets import Products
from catalog.models import Product
from kit.rest.reads import ReadEndpoint
from kit.rest.viewsets import CustomerEndpoint
from kit.values.json import JSONObject
from tests.contract.callers import storefront
from tests.contract.routes import EXAMPLES, ROUTES, Route, shopper
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.orders import order
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.packages import ROOT
from tests.walks import sampled

pytestmark = pytest.mark.django_db
PLACE = re.compile(r"(\S+)  +(\S+\.py):(\d+)$", re.MULTILINE)


def explain(address: str, **options: str) -> str:
    output = StringIO()
    call_command("explain_read", address, stdout=output, **options)
    return output.getvalue()


def blocks(text: str) -> dict[str, str]:
    """The statements, by their titles."""
    parts = re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]
    return {part.partition(":")[0]: part for part in parts}


def made_by(block: str, what: str) -> list[str]:
    """The names of the declarations that made this."""
    return re.findall(rf"^{re.escape(what)} +(\S+) ", block, re.MULTILINE)


@pytest.fixture
def key(db: None) -> IssuedKey:
    return publishable_key(title="Web")


@pytest.fixture
def product(key: IssuedKey) -> Product:
    made: Product = ProductFactory(title="Green tea")
    VariantFactory(product=made)
    return made


def test_a_list_with_its_search_columns_rule_and_relations(product: Product) -> None:
    text = explain(
        "/store/products?fields=title,created_at,variants.sku,variants.options.value&q=tea&is_giftcard=false"
    )
    found = blocks(text)
    assert list(found) == ["Around the read", "Product, counted page", "variants", "variants.options"]
    page, variants, options = list(found.values())[1:]
    assert "publishable_scope, apikeys/verification.py:" in found["Around the read"]
    assert made_by(page, "column title") == ["ProductSerializer.title"]
    assert made_by(page, "visible rows") == ["ProductQuerySet.visible_within"]
    assert made_by(page, "filter q") == ["ProductFilters.q"]
    assert made_by(page, "filter is_giftcard") == ["ProductFilters.is_giftcard"]
    assert made_by(page, "order relevance") == ["PRODUCTS"]
    assert made_by(page, "table catalog_product") == ["Product"]
    assert "'%tea%'" in page
    assert made_by(variants, "relation") == ["ProductSerializer.variants"]
    assert made_by(variants, "column sku") == ["ProductVariantSerializer.sku"]
    assert made_by(variants, "column product_id") == ["ProductSerializer.variants"]
    assert made_by(variants, "visible rows") == ["ProductPartQuerySet.visible_to"]
    assert product.variants.get().pk in options
    assert made_by(options, "column value") == ["ProductOptionValueSerializer.value"]
    assert text.endswith("4 statements. Nothing was changed.\n")


def test_every_place_is_the_line_of_what_it_names(product: Product) -> None:
    RegionFactory(currency_id="usd", countries=["us"])
    text = explain(
        "/store/products?fields=*variants,*variants.calculated_price,*tags&country_code=us&order=-title&id[$gt]=a"
    )
    places = PLACE.findall(text)
    assert len(places) > 40
    for name, path, number in places:
        line = (ROOT / path).read_text().splitlines()[int(number) - 1]
        assert re.search(rf"\b{name.split('.')[-1]}\b", line), (name, path, number, line)


def test_what_a_call_computes_for_all_rows(product: Product) -> None:
    RegionFactory(currency_id="usd", countries=["us"])
    text = explain("/store/products?fields=variants.calculated_price&country_code=us")
    (computed,) = [block for title, block in blocks(text).items() if title == "variants.calculated_price"][-1:]
    assert made_by(computed, "field calculated_price") == ["ProductVariantSerializer.calculated_price"]
    assert made_by(computed, "computed by") != []


def test_filters_within_or_and_widened_trees(key: IssuedKey) -> None:
    food = CategoryFactory(name="Food")
    CategoryFactory(name="Fruit", parent=food)
    text = explain(
        "/store/product-categories?$or[0][name]=Food&$or[1][handle]=x&include_descendants_tree=true&limit=1&order=name"
    )
    page, tree = list(blocks(text).values())[1:3]
    assert made_by(page, "filter name") == ["ProductCategoryFilters.name"]
    assert made_by(page, "filter handle") == ["ProductCategoryFilters.handle"]
    assert made_by(page, "order name") == ["PRODUCT_CATEGORIES"]
    assert made_by(page, "column path") == ["ProductCategorySerializer.category_children"]
    assert made_by(tree, "relation") in (
        ["ProductCategorySerializer.parent_category"],
        ["ProductCategorySerializer.category_children"],
    )


def test_a_relation_that_another_app_has_added_is_the_constant_there(key: IssuedKey) -> None:
    order(shopper())
    text = explain("/store/customers/me?fields=orders.display_id", customer=shopper().email)
    assert made_by(blocks(text)["orders"], "field orders") == ["ORDERS_OF_CUSTOMER"]


def test_staff_ask_as_who_they_are_or_as_a_superuser(db: None) -> None:
    UserFactory(email="root@shop.example", is_superuser=True)
    UserFactory(email="ann@shop.example", permissions=["orders.view_order"])
    UserFactory(email="bob@shop.example")
    as_superuser = explain("/admin/orders?limit=5")
    assert made_by(blocks(as_superuser)["Order, counted page"], "visible rows") == ["OrderQuerySet.visible_to"]
    assert explain("/admin/orders?limit=5", staff="ann@shop.example") != as_superuser  # her permissions are looked up
    with pytest.raises(CommandError, match=r"answers 403: The permission 'orders\.view_order' is required"):
        explain("/admin/orders", staff="bob@shop.example")


@pytest.mark.parametrize("address", ["/store/products?fields=*variants,*tags&limit=3", "/store/products?q=tea&limit=1"])
def test_the_statements_are_those_of_the_request(address: str, product: Product, key: IssuedKey) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert storefront(key).get(address).status_code == 200
    texts = [re.sub(r"\s+", "", sqlparse.format(each["sql"], reindent=True)) for each in captured]
    explained = re.sub(r"\s+", "", explain(address))
    pieces = [piece for text in texts for piece in re.split(r"\$\d+|'[^']*'|\d+", text)]  # all but the values
    assert re.search(".*?".join(map(re.escape, pieces)), explained)
    assert f"{len(texts)}statements." in explained


@pytest.mark.once
@pytest.mark.parametrize("route", sampled(route for route in ROUTES if "get" in route.actions), ids=str)
def test_every_route_that_reads_is_explained(route: Route) -> None:
    publishable_key(title="Web")
    UserFactory(is_superuser=True)
    address = EXAMPLES[route.path].path()
    if not issubclass(route.endpoint, ReadEndpoint):
        with pytest.raises(CommandError, match=r"reads no resource|There is no route"):
            explain(address)
        return
    who = {"customer": shopper().email} if issubclass(route.endpoint, CustomerEndpoint) else {}
    text = explain(address, key="Web", **who)
    statements = len(re.findall(r"^\d+\. ", text, re.MULTILINE))
    assert f"{statements} statements. Nothing was changed." in text
    assert statements > 0


def test_it_writes_nothing_and_stops_where_a_route_would(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    def list_and_rename(self: Products, request: Request) -> JSONObject:
        Product.objects.update(title="Renamed")
        return {}

    with CaptureQueriesContext(connection) as captured:
        explain("/store/products")
    assert not [each["sql"] for each in captured if not each["sql"].startswith(("SELECT", "\nSELECT", "WITH"))]
    monkeypatch.setattr(Products, "list", list_and_rename)
    with pytest.raises(CommandError, match=r'The route writes, .*UPDATE "catalog_product"'):
        explain("/store/products")
    product.refresh_from_db()
    assert product.title == "Green tea"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("store/products", "Give the path of a route, without a host"),
        ("https://shop.example/store/products", "Give the path of a route, without a host"),
        ("//shop.example/store/products", "Give the path of a route, without a host"),
        ("/store/tea", "There is no route /store/tea."),
        ("/store/carts", "/store/carts takes POST, and this command explains GET."),
        ("/graphql", "/graphql takes POST, and this command explains GET."),
        ("/admin/", "/admin/ reads no resource of the API."),
        ("/admin/tea", "/admin/tea reads no resource of the API."),
        ("/openapi.json", "/openapi.json reads no resource of the API."),
        ("/store/products?fields=nope", "The route answers 400: Requested fields [nope] are not valid"),
        ("/store/products?nope=1", "The route answers 400: Invalid request: Unrecognized fields: 'nope'"),
        ("/store/products?q=%00", "The route answers 400: Invalid request: NUL character in field 'q'"),
        ("/store/products/prod_1", "The route answers 404: Product with id: prod_1 was not found"),
        ("/store/orders", "The route asks who is there: name a --customer or --staff."),
        ("/admin/orders", "Nobody can sign in as a superuser: name another --customer or --staff."),
    ],
)
def test_what_cannot_be_explained(address: str, message: str, key: IssuedKey) -> None:
    with pytest.raises(CommandError) as refused:
        explain(address)
    assert message in str(refused.value)


def test_the_publishable_key_is_the_only_one_or_chosen(db: None) -> None:
    with pytest.raises(CommandError, match="with --key: create_api_key creates the first one"):
        explain("/store/regions")
    web, app = publishable_key(title="Web"), publishable_key(title="App")
    keys = re.escape(f"Name one publishable key with --key: Web ({web.key.pk}), App ({app.key.pk}).")
    for unclear in ({}, {"key": "Till"}):
        with pytest.raises(CommandError, match=keys):
            explain("/store/regions", **unclear)
    for chosen in ("Web", web.key.pk, app.token):
        assert "Nothing was changed." in explain("/store/regions", key=chosen)


@pytest.mark.parametrize("who", ["customer", "staff"])
def test_nobody_can_be_asked_as_who_cannot_sign_in(who: str, key: IssuedKey) -> None:
    with pytest.raises(CommandError, match=r"Nobody can sign in as nobody@shop\.example: name another"):
        explain("/store/regions", **{who: "nobody@shop.example"})
