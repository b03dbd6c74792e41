"""Shop files carry texts for search engines and former handles."""

import json
from typing import Any

import pytest

from catalog.models import FormerCategoryHandle, FormerCollectionHandle, FormerProductHandle, Product
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db

SEO = {"seo_title": "Teas of Japan | Quayside", "seo_description": "Green teas, fresh from Uji."}
NOTHING = {"seo_title": None, "seo_description": None, "former_handles": []}
KEYS = ("product_categories", "product_collections", "products")


def named(key: str, **others: Any) -> dict[str, Any]:
    return {("name" if key == "product_categories" else "title"): "Tea", "handle": "tea", **others}


def shop(**others: Any) -> dict[str, Any]:
    return {key: [named(key, **others)] for key in KEYS}


def dumped(files: ShopFiles) -> dict[str, dict[str, Any]]:
    dump = files.dump("--only", *KEYS)
    return {key: dump[key][0] for key in KEYS}


def former() -> list[list[str]]:
    tables = (FormerCategoryHandle, FormerCollectionHandle, FormerProductHandle)
    return [sorted(table.objects.values_list("handle", flat=True)) for table in tables]


def test_they_are_loaded_and_dumped(files: ShopFiles) -> None:
    files.load(shop(**SEO, former_handles=["z", "a-tea", "Old Page.html", "tea"]))
    assert former() == [["Old Page.html", "a-tea", "z"]] * 3
    for found in dumped(files).values():
        assert {name: found[name] for name in NOTHING} == {**SEO, "former_handles": ["Old Page.html", "a-tea", "z"]}


def test_a_dump_changes_nothing_and_makes_another_shop_the_same(files: ShopFiles) -> None:
    files.load(shop(**SEO, former_handles=["old", "older"]))
    dump = files.dump("--only", *KEYS)
    assert [line for line in files.load(dump) if "0 created, 0 updated, 1 unchanged" not in line] == []
    Product.objects.all().delete()
    FormerProductHandle.objects.all().delete()
    files.load(dump)
    assert json.dumps(files.dump("--only", *KEYS)) == json.dumps(dump)


def test_what_is_left_out_stays_and_an_empty_list_forgets(files: ShopFiles) -> None:
    files.load(shop(**SEO, former_handles=["old"]))
    files.load(shop())
    assert former() == [["old"]] * 3
    lines = files.load(shop(**NOTHING))
    assert len([line for line in lines if "0 created, 1 updated, 0 unchanged" in line]) == 3
    assert former() == [[]] * 3
    for found in dumped(files).values():
        assert {name: found[name] for name in NOTHING} == NOTHING


def test_another_handle_is_remembered_beside_the_given_ones(files: ShopFiles) -> None:
    files.load(shop(former_handles=["old"], status="published") | {key: shop()[key] for key in KEYS[:2]})
    ids = {key: found["id"] for key, found in dumped(files).items()}
    files.load({key: [named(key) | {"id": ids[key], "handle": "new"}] for key in KEYS})
    assert former() == [["tea"], ["tea"], ["old", "tea"]]
    files.load({key: [named(key) | {"id": ids[key], "handle": "newest", "former_handles": ["x"]}] for key in KEYS})
    assert former() == [["new", "x"]] * 3
    files.load({key: [named(key) | {"id": ids[key], "handle": "new"}] for key in KEYS})
    assert former() == [["newest", "x"]] * 3


def test_a_former_handle_belongs_to_one_row(files: ShopFiles) -> None:
    given = {"former_handles": ["old"]}
    twice = {key: [named(key, **given), named(key, **given) | {"handle": "b"}] for key in KEYS}
    expected = [f"{key}[1].former_handles: 'old' already appears at {key}[0]" for key in KEYS]
    assert sorted(files.refused(twice)) == expected


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("old", 'former_handles: expected a list, got "old"'),
        ([""], "former_handles[0]: must not be blank"),
        (["x" * 256], "former_handles[0]: too long, expected at most: '255' characters"),
        ([1], "former_handles[0]: expected a text, got 1"),
    ],
)
def test_what_is_no_list_of_handles_is_refused(files: ShopFiles, value: object, problem: str) -> None:
    assert files.refused({"products": [named("products", former_handles=value)]}) == [f"products[0].{problem}"]


def test_too_long_titles_are_refused(files: ShopFiles) -> None:
    problems = files.refused(shop(seo_title="x" * 256))
    assert sorted(problems) == [f"{key}[0].seo_title: too long, expected at most: '255' characters" for key in KEYS]
