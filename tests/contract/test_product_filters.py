"""Which products and variants a storefront finds by what they belong to."""

import pytest

from catalog.models import ProductVariant
from commerce.shop.models import SalesChannel, Store
from tests.contract.callers import Caller, invalid, refusal, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.factories.shop import SalesChannelFactory

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
