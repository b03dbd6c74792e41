"""Objects without ids and handles, and handles that URLs cannot hold."""

from typing import Any

import pytest

from catalog.models import Product, ProductCategory, ProductCollection
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductFactory
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db


def of(key: str, *objects: Any) -> dict[str, Any]:
    return {key: list(objects)}


@pytest.mark.parametrize(
    ("key", "name", "factory"),
    [
        ("products", "title", ProductFactory),
        ("product_collections", "title", ProductCollection.objects.create),
        ("product_categories", "name", CategoryFactory),
    ],
)
class TestTitles:
    def test_one_that_would_update_a_row_with_another_title_is_refused(
        self, files: ShopFiles, key: str, name: str, factory: Any
    ) -> None:
        stored = factory(handle="c", **{name: "C"})
        assert files.refused(of(key, {name: "C++"})) == [
            f"{key}[0]: 'C++' would have the same handle as 'C' ({stored.pk}): give each its `handle`"
        ]
        files.load(of(key, {name: "C++", "handle": "c"}))
        stored.refresh_from_db()
        assert getattr(stored, name) == "C++"

    def test_letter_case_and_blanks_make_no_other_title(
        self, files: ShopFiles, key: str, name: str, factory: Any
    ) -> None:
        stored = factory(handle="green-tea", **{name: "Green Tea"})
        files.load(of(key, {name: "GREEN  tea"}))
        stored.refresh_from_db()
        assert getattr(stored, name) == "GREEN  tea"

    def test_a_handle_that_urls_cannot_hold_is_made_fit_unless_it_is_stored(
        self, files: ShopFiles, key: str, name: str, factory: Any
    ) -> None:
        old = factory(handle="old", **{name: "Old"})
        type(old).objects.update(handle="Old/One")
        files.load(of(key, {name: "New", "handle": "New One/%1"}, {name: "Older", "handle": "Old/One"}))
        assert set(type(old).objects.values_list("handle", flat=True)) == {"new-one-1", "Old/One"}

    def test_two_that_fall_together_are_refused_with_both_titles(
        self, files: ShopFiles, key: str, name: str, factory: Any
    ) -> None:
        assert files.refused(of(key, {name: "C"}, {name: "C++"})) == [
            f"{key}[1]: 'C++' would have the same handle as 'C' ({key}[0]): give each its `handle`"
        ]
        files.load(of(key, {name: "C", "handle": "c"}, {name: "C++", "handle": "cpp"}))


def test_a_title_finds_the_handle_that_it_had_without_its_vowel_signs(files: ShopFiles) -> None:
    ProductFactory(title="हिन्दी किताब", handle="हनद-कतब")
    files.load(of("products", {"title": "हिन्दी किताब", "subtitle": "नई"}, {"title": "नई किताब"}))
    assert set(Product.objects.values_list("handle", "subtitle")) == {("हनद-कतब", "नई"), ("नई-किताब", None)}


def test_references_find_what_their_file_makes_fit(files: ShopFiles) -> None:
    files.load(
        {
            "product_collections": [{"title": "Summer", "handle": "Summer Sale"}],
            "product_categories": [
                {"name": "Hot", "handle": "Hot Drinks"},
                {"name": "Teas", "handle": "teas", "parent": "Hot Drinks"},
            ],
            "products": [{"title": "Tea", "collection": "Summer Sale", "categories": ["Hot Drinks"]}],
        }
    )
    product = Product.objects.get()
    assert product.collection == ProductCollection.objects.get(handle="summer-sale")
    assert product.categories.get() == ProductCategory.objects.get(handle="hot-drinks")
    assert ProductCategory.objects.get(handle="teas").parent_category == product.categories.get()
