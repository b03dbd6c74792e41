"""What leads back to a row further up answers its id alone, and costs no statement."""

from typing import Any

import pytest

from catalog.models import Product
from kit.domain.actor import Actor
from kit.query.paging import Page
from kit.query.selection import Selection
from kit.reads.reading import ListQuery, read_page
from shop.models import Store
from tests.factories.catalog import CategoryFactory
from tests.factories.products import (
    OptionFactory,
    OptionValueFactory,
    ProductCollectionFactory,
    ProductFactory,
    VariantFactory,
)
from tests.kit.reads.catalogue import CollectionShape, OptionShape, ProductShape, VariantShape
from tests.kit.reads.reads import one, rows, statements

pytestmark = pytest.mark.django_db


@pytest.fixture
def shopper() -> Actor:
    return Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel.pk,))


@pytest.fixture
def shirt() -> Product:
    shirt = ProductFactory(title="Shirt", collection=ProductCollectionFactory())
    size = OptionFactory(title="Size", product=shirt)
    VariantFactory(title="Large", product=shirt, options=[OptionValueFactory(option=size, value="L")])
    return shirt


def leaf(answer: Any, path: str) -> Any:
    for name in path.split("."):
        answer = answer[0] if isinstance(answer, list) else answer
        answer = answer[name]
    return answer


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ("variants.product", 2),
        ("variants.made_for", 2),
        ("options.product", 2),
        ("options.values.option.product", 3),
        ("variants.options.option.product", 4),
        ("variants.options.option.product.title", 4),
    ],
)
def test_the_way_back_to_the_product(fields: str, count: int, shirt: Product, shopper: Actor) -> None:
    with statements(count):
        answer = one(ProductShape, shirt.pk, f"*{fields}", actor=shopper)
    path = fields.removesuffix(".title")
    if path == "options.values.option.product":  # ends at the option already
        assert leaf(answer, "options.values.option") == {"id": answer["options"][0]["id"]}
    else:
        assert leaf(answer, path) == {"id": shirt.pk}


@pytest.mark.parametrize(
    ("resource", "fields", "count"),
    [
        (ProductShape, "variants.also.title", 3),  # nothing says that it leads back
        (ProductShape, "variants.options.anywhere.product.title", 5),  # through any option, inside of nothing
        (VariantShape, "options.option.product.title", 4),  # no product above
        (VariantShape, "made_for.title", 2),
        (OptionShape, "product.title", 2),
    ],
)
def test_without_an_owner_above_it_is_a_relation_like_others(
    resource: Any, fields: str, count: int, shirt: Product, shopper: Actor
) -> None:
    with statements(count):
        (answer,) = rows(resource, fields, actor=shopper)
    assert leaf(answer, fields) == "Shirt"


def test_the_owners_owner_is_an_owner_too(shirt: Product, shopper: Actor) -> None:
    with statements(3):
        (answer,) = rows(CollectionShape, "*products.variants.product", actor=shopper)
    assert leaf(answer, "products.variants.product") == {"id": shirt.pk}
    with statements(2):
        (answer,) = rows(CollectionShape, "products.collection", actor=shopper)
    assert leaf(answer, "products.collection") == {"id": answer["id"]}


def test_products_of_a_category_are_no_longer_those_above_it(shirt: Product, shopper: Actor) -> None:
    shirt.categories.add(CategoryFactory())
    with statements(5):
        answer = one(ProductShape, shirt.pk, "categories.products.collection.products.title", actor=shopper)
    assert leaf(answer, "categories.products.collection.products.title") == "Shirt"
    with statements(4):
        answer = one(ProductShape, shirt.pk, "categories.products.variants.product.title", actor=shopper)
    assert leaf(answer, "categories.products.variants.product") == {"id": shirt.pk}


def test_a_shaped_answer_gets_what_it_asks_for(shirt: Product, shopper: Actor) -> None:
    def asked(below: Selection) -> Any:
        variants = Selection((), (("back", below),), names=(("back", "product"),), order=("back",))
        selection = Selection((), (("variants", variants),), order=("variants",))
        return read_page(ProductShape, ListQuery(selection, page=Page(1)), shopper).answers

    with statements(2):
        assert asked(Selection(("key",), names=(("key", "id"),), order=("key",))) == [
            {"variants": [{"back": {"key": shirt.pk}}]}
        ]
    with statements(2):
        assert asked(Selection((), order=())) == [{"variants": [{"back": {}}]}]
    with statements(3):
        assert asked(Selection(("title",), order=("title",))) == [{"variants": [{"back": {"title": "Shirt"}}]}]
