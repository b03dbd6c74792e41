"""Which products and variants a storefront finds by what they belong to."""

import pytest

from catalog.models import ProductVariant
from kit.values.timestamps import now
from shop.models import SalesChannel, Store
from tests.contract.callers import Caller, invalid, refusal, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import OptionFactory, ProductCollectionFactory, ProductFactory, VariantFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db

VARIANTS = "/store/product-variants"


def titles(caller: Caller, path: str, query: str) -> list[str]:
    response = caller.get(path, query)
    assert response.status_code == 200, response.content
    (rows,) = [value for value in response.json().values() if isinstance(value, list)]
    assert response.json()["count"] == len(rows)
    return [row["title"] for row in rows]


def test_products_are_found_by_their_channel_within_the_keys_own() -> None:
    own, other, foreign = SalesChannelFactory(), SalesChannelFactory(), SalesChannelFactory()
    ProductFactory(title="One", sales_channels=[own, foreign])
    ProductFactory(title="Two", sales_channels=[other])
    caller = storefront(publishable_key(own, other))
    for query, found in {
        f"sales_channel_id={own.pk}": ["One"],
        f"sales_channel_id[]={own.pk}&sales_channel_id[]={other.pk}": ["One", "Two"],
        f"sales_channel_id={foreign.pk}": [],
        "sales_channel_id=sc_nobody": [],
    }.items():
        assert titles(caller, "/store/products", query) == found
    SalesChannel.objects.filter(pk=own.pk).update(is_disabled=True)
    assert titles(caller, "/store/products", f"sales_channel_id={own.pk}") == []


@pytest.fixture
def shirts(db: None) -> list[ProductVariant]:
    """A shirt in two sizes and two colours, and a hat in one size that is a colour's name."""
    shirt = ProductFactory()
    size = OptionFactory(product=shirt, title="Size", values=["S", "L"])
    colour = OptionFactory(product=shirt, title="Colour", values=["red", "blue"])
    hat = ProductFactory()
    (red,) = OptionFactory(product=hat, title="Size", values=["red"]).values.all()
    pairs = [(one, other) for one in size.values.order_by("value") for other in colour.values.order_by("value")]
    made = [VariantFactory(product=shirt, title=f"{a.value} {b.value}", options=[a, b]) for a, b in pairs]
    return [*made, VariantFactory(product=hat, title="hat", options=[red])]


def test_products_are_found_by_one_variant_that_meets_all(store: Caller) -> None:
    shirt, hat = ProductFactory(title="shirt"), ProductFactory(title="hat")
    sizes = OptionFactory(product=shirt, title="Size", values=["S", "L"])
    small, large = sizes.values.order_by("-value")
    VariantFactory(product=shirt, title="small", sku="SH-S", ean="1", options=[small], manage_inventory=False)
    VariantFactory(product=shirt, title="large", sku="SH-L", barcode="2", options=[large], allow_backorder=True)
    VariantFactory(product=hat, title="large", sku="HAT", upc="3")
    VariantFactory(product=hat, title="gone", sku="GONE", deleted_at=now())
    for query, found in {
        "variants[sku]=SH-S": ["shirt"],
        "variants[sku][]=SH-S&variants[sku][]=HAT": ["hat", "shirt"],
        "variants[title]=large": ["hat", "shirt"],
        "variants[title]=large&variants[sku]=SH-S": [],
        "variants[title]=large&variants[sku]=SH-L": ["shirt"],
        "$and[0][variants][title]=large&$and[1][variants][sku]=SH-S": ["shirt"],
        "$or[0][variants][upc]=3&$or[1][variants][ean]=1": ["hat", "shirt"],
        "variants[barcode]=2": ["shirt"],
        "variants[options][value]=S&variants[manage_inventory]=false": ["shirt"],
        "variants[options][value]=S&variants[manage_inventory]=true": [],
        f"variants[options][option_id]={sizes.pk}&variants[options][value]=L": ["shirt"],
        f"variants[options][option_id]={sizes.pk}&variants[options][value]=XL": [],
        "variants[allow_backorder]=true": ["shirt"],
        "variants[sku]=GONE": [],
    }.items():
        assert sorted(titles(store, "/store/products", query)) == found, query


def test_products_are_not_found_by_variants_that_the_caller_may_not_see(store: Caller) -> None:
    VariantFactory(product=ProductFactory(status="draft"), sku="DRAFT")
    shown = ProductFactory(title="shown")
    VariantFactory(product=shown, sku="SEEN")
    VariantFactory(product=shown, sku="GONE", deleted_at=now())
    for query in ("variants[sku]=DRAFT", "variants[sku]=DRAFT&with_deleted=true", "variants[sku]=GONE"):
        assert titles(store, "/store/products", query) == [], query
    assert titles(store, "/store/products", "variants[sku]=GONE&with_deleted=true") == ["shown"]


def test_products_are_found_by_their_variants_in_graphql(store: Caller) -> None:
    shirt = ProductFactory(title="shirt")
    (large,) = OptionFactory(product=shirt, title="Size", values=["L"]).values.all()
    VariantFactory(product=shirt, sku="SH-L", options=[large], allow_backorder=True)
    VariantFactory(product=ProductFactory(title="hat"), sku="HAT")
    for arguments, found in {
        'variants: {sku: ["SH-L", "HAT"]}, order: "title"': ["hat", "shirt"],
        'variants: {options: {value: "L"}, allowBackorder: true, sku: null}': ["shirt"],
        'variants: {options: {value: "L"}, allowBackorder: false}': [],
        'or: [{variants: {sku: "HAT"}}, {title: "none"}]': ["hat"],
        'variants: {options: {value: null}}, title: "hat"': ["hat"],
    }.items():
        answer = ask(store, f"{{ products({arguments}) {{ products {{ title }} }} }}").json()
        assert [row["title"] for row in answer["data"]["products"]["products"]] == found, arguments


def test_a_list_may_hold_null_beside_ids_and_commas_within_values(store: Caller) -> None:
    tea, coffee = ProductCollectionFactory(), ProductCollectionFactory()
    ProductFactory(title="Cups, mugs")
    ProductFactory(title="Assam", collection=tea)
    ProductFactory(title="Mocha", collection=coffee)
    for query, found in {
        f"collection_id[]=null&collection_id[]={tea.pk}": ["Assam", "Cups, mugs"],
        f"collection_id[0]={coffee.pk}": ["Mocha"],
        "collection_id[]=null": ["Cups, mugs"],
        "title[0]=Cups, mugs": ["Cups, mugs"],
        "title[]=Assam,Mocha": [],
        "title[]=null": [],
    }.items():
        assert sorted(titles(store, "/store/products", query)) == found, query
    for listed in (f'[null, "{tea.pk}"]', f'["null", "{tea.pk}"]'):
        answer = ask(store, f'{{ products(collectionId: {listed}, order: "title") {{ products {{ title }} }} }}').json()
        assert [row["title"] for row in answer["data"]["products"]["products"]] == ["Assam", "Cups, mugs"]


@pytest.mark.parametrize(("query", "message"), [
    ("variants=a", "Expected type: 'object' for field 'variants', got: 'a'"),
    ("variants[price]=5", "Unrecognized fields: 'variants[price]'"),
    ("variants[options][colour]=red", "Unrecognized fields: 'variants[options][colour]'"),
    ("variants[options]=red", "Expected type: 'object' for field 'variants[options]', got: 'red'"),
    ("variants[manage_inventory]=1", "Expected type: 'boolean' for field 'variants[manage_inventory]', got: '1'"),
    ("$or[0][variants][sku][$gt]=a", "Expected type: 'string' for field 'variants[sku]', got: '[object Object]'"),
])  # fmt: skip
def test_senseless_conditions_on_variants_are_refused(store: Caller, query: str, message: str) -> None:
    assert refusal(store.get("/store/products", query)) == invalid(message)


def test_variants_are_found_by_one_of_their_option_values(store: Caller, shirts: list[ProductVariant]) -> None:
    colour = shirts[0].product.options.get(title="Colour").pk
    size = shirts[0].product.options.get(title="Size").pk
    for query, found in {
        "options[value]=red": ["L red", "S red", "hat"],
        f"options[value]=red&options[option_id]={colour}": ["L red", "S red"],
        f"options[value]=red&options[option_id]={size}": [],
        f"options[option_id]={size}": ["L blue", "L red", "S blue", "S red"],
        "options[value][]=red&options[value][]=L": ["L blue", "L red", "S red", "hat"],
        "$and[0][options][value]=red&$and[1][options][value]=L": ["L red"],
        "options[value]=Red": [],
    }.items():
        assert titles(store, VARIANTS, query) == found, query


@pytest.mark.parametrize(("query", "message"), [
    ("options=red", "Expected type: 'object' for field 'options', got: 'red'"),
    ("options[]=red", "Expected type: 'object' for field 'options', got: 'red'"),
    ("options[title]=red", "Unrecognized fields: 'options[title]'"),
    ("options[value][$gt]=red", "Expected type: 'string' for field 'options[value]', got: '[object Object]'"),
    ("&".join(f"$or[{number}][options][value]=a&$or[{number}][options][option_id]=b" for number in range(26)),
     "More than 50 conditions in one request"),
])  # fmt: skip
def test_senseless_conditions_on_options_are_refused(store: Caller, query: str, message: str) -> None:
    assert refusal(store.get(VARIANTS, query)) == invalid(message)


def test_the_default_channel_is_the_keyless_ones(store: Caller) -> None:
    ProductFactory(title="One")
    assert titles(store, "/store/products", f"sales_channel_id={Store.objects.get().default_sales_channel_id}") == [
        "One"
    ]
