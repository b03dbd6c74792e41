"""Filters through relations against a plain evaluation, row by row in Python, over what the caller may see."""

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from catalog.api.filters import ProductFilters
from catalog.models import Product, ProductCategory, ProductVariant
from kit.domain.actor import Actor
from kit.reads.declarations.fields import ResourceSerializer
from kit.reads.filters.filtering import ResourceFilterSet, Searching
from kit.reads.filters.filters import TextFilter
from kit.search.text import is_found, words_of
from kit.values.timestamps import now
from shop.models import Store
from tests.factories.catalog import CategoryFactory
from tests.factories.products import OptionFactory, OptionValueFactory, ProductFactory, VariantFactory
from tests.kit.reads.reads import page

pytestmark = pytest.mark.django_db

CATEGORIES = ["Drinks", "Things", "Secret"]
VALUES = ["Small", "Large"]


class Shape(ResourceSerializer):
    title = serializers.CharField()

    class Meta:
        model = Product


class Filters(ResourceFilterSet):
    q = ProductFilters.base_filters["q"]
    title = TextFilter()
    category = TextFilter(field_name="name", through="categories")
    value = TextFilter(field_name="value", through="variants.options")
    sibling = TextFilter(field_name="title", through="categories.products")


def one_or_many(values: list[str]) -> st.SearchStrategy[Any]:
    return st.sampled_from(values) | st.lists(st.sampled_from(values), min_size=1, max_size=3)


TITLES = ["Tea", "Mug", "Book", "Draft"]
words = st.sampled_from(
    ["tea", "MUG", "small", "l", "thing", "draft", "drinks", "hand", "tea-s", "-m", "%", "_", "gone", "none"]
)
leaves = st.one_of(
    st.builds(lambda text: {"q": text}, st.lists(words, max_size=3).map(" ".join)),
    *(
        st.builds(lambda value, name=name: {name: value}, one_or_many(values))
        for name, values in {"title": TITLES, "category": CATEGORIES, "value": VALUES, "sibling": TITLES}.items()
    ),
)


def joined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(inner, min_size=1, max_size=3)
    return st.builds(
        lambda own, name, parts: {**own, name: parts}, inner, st.sampled_from(["$and", "$or"]), lists
    ) | st.builds(lambda parts: {"$or": parts}, lists)


trees = leaves | joined(leaves) | joined(joined(leaves))


@pytest.fixture
def shop() -> dict[str, dict[str, Any]]:
    """What the store shows of each product: the names of its categories, its variants with their values."""
    by_name = {name: CategoryFactory(name=name, is_internal=name == "Secret") for name in CATEGORIES}
    within = {"Tea": ["Drinks", "Things", "Secret"], "Mug": ["Things"], "Book": ["Secret"], "Draft": ["Drinks"]}
    for title, names in within.items():
        product = ProductFactory(
            title=title,
            handle=f"handle-{title}",
            categories=[by_name[name] for name in names],
            **({"status": "draft"} if title == "Draft" else {}),
        )
        option = OptionFactory(title="Size", product=product)
        for size in VALUES if title != "Book" else VALUES[:1]:
            value = OptionValueFactory(option=option, value=size)
            VariantFactory(title=f"{size} thing", sku=f"{title}-{size}", product=product, options=[value])
        VariantFactory(title="Gone", sku=f"gone-{title}", product=product, deleted_at=now())
    shown = [title for title in TITLES if title != "Draft"]
    return {
        title: {
            "texts": [
                title,
                f"handle-{title}",
                *(each.title for each in ProductVariant.objects.not_deleted().filter(product__title=title)),
                *(f"{title}-{size}" for size in (VALUES[:1] if title == "Book" else VALUES)),
            ],
            "title": {title},
            "category": {name for name in within[title] if name != "Secret"},
            "value": set(VALUES[:1] if title == "Book" else VALUES),
            "sibling": {
                other for other in shown for name in within[title] if name != "Secret" and name in within[other]
            },
        }
        for title in shown
    }


def holds(condition: dict[str, Any], row: dict[str, Any]) -> bool:
    return all(_holds(key, value, row) for key, value in condition.items())


def _holds(key: str, value: Any, row: dict[str, Any]) -> bool:
    if key == "$and":
        return all(holds(item, row) for item in value)
    if key == "$or":
        return any(holds(item, row) for item in value)
    if key == "q":
        return is_found(words_of(value), row["texts"])
    return bool(row[key] & set(value if isinstance(value, list) else [value]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(tree=trees)
@example(tree={"$or": [{"category": "Secret"}, {"q": ""}]})
@example(tree={"$or": [{"category": "Secret"}]})
@example(tree={"$or": [{"category": "Drinks", "q": "mug"}, {"$and": [{"value": "Large"}, {"sibling": "Tea"}]}]})
@example(tree={"sibling": "Draft"})
@example(tree={"q": "gone"})
def test_the_database_finds_the_rows_of_which_the_condition_is_true(
    tree: dict[str, Any], shop: dict[str, dict[str, Any]]
) -> None:
    shopper = Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel.pk,))
    answers, count = page(Shape, "title", actor=shopper, condition=Filters.parse(tree, Searching(left=1000)))
    expected = [title for title, row in shop.items() if holds(tree, row)]
    assert ([answer["title"] for answer in answers], count) == (expected, len(expected))


def test_the_shop_holds_what_is_hidden(shop: dict[str, Any]) -> None:
    assert Product.objects.count() == len(shop) + 1
    assert ProductCategory.objects.filter(is_visible=False).count() == 1
