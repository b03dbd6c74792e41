"""SKUs are added and changed without ids: a variant is also known by its option values, or by its title."""

from typing import Any

import pytest

from catalog.models import ProductVariant
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db
SIZES = [{"title": "Size", "values": ["S", "L"]}]


def shirt(*variants: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"products": [{"title": "Shirt", "variants": list(variants), **fields}]}


def of(size: str, **fields: Any) -> dict[str, Any]:
    return {"title": size, "options": {"Size": size}, **fields}


def skus() -> dict[str, str | None]:
    return dict(ProductVariant.objects.values_list("pk", "sku"))


def test_they_are_added_and_changed_by_option_values(files: ShopFiles) -> None:
    files.load(shirt(of("S"), of("L"), options=SIZES))
    small, large = ProductVariant.objects.order_by("variant_rank").values_list("pk", flat=True)
    files.load(shirt(of("S", sku="S-1"), of("L", sku="L-1")))
    assert skus() == {small: "S-1", large: "L-1"}
    files.load(shirt({"sku": "S-2", "options": {"Size": "S"}, "title": "Small"}))
    assert skus() == {small: "S-2", large: "L-1"}
    files.load(shirt({"sku": "S-3", "title": "Small"}))
    assert skus() == {small: "S-3", large: "L-1"}


def test_of_a_product_without_options_there_is_one_variant(files: ShopFiles) -> None:
    files.load(shirt({"title": "Default"}))
    files.load(shirt({"title": "Only", "sku": "A"}))
    files.load(shirt({"sku": "B"}))
    assert list(ProductVariant.objects.values_list("title", "sku")) == [("Only", "B")]


def test_a_known_sku_wins_over_option_values(files: ShopFiles) -> None:
    files.load(shirt(of("S", sku="A"), of("L", sku="B"), options=SIZES))
    before = skus()
    files.load(shirt(of("S", sku="B"), of("L", sku="A")))
    assert skus() == before
    assert ProductVariant.objects.get(sku="A").options.get().value == "L"


def test_a_new_value_is_a_new_variant(files: ShopFiles) -> None:
    files.load(shirt(of("S", sku="A"), options=SIZES))
    files.load(shirt(of("L", sku="B")))
    assert set(skus().values()) == {"A", "B"}


def test_a_title_that_two_variants_share_changes_neither(files: ShopFiles) -> None:
    files.load(shirt(of("S", sku="A") | {"title": "Shirt"}, of("L", sku="B") | {"title": "Shirt"}, options=SIZES))
    assert files.refused(shirt({"title": "Shirt", "sku": "C"}))
    assert set(skus().values()) == {"A", "B"}


def test_one_of_another_product_is_not_taken(files: ShopFiles) -> None:
    files.load({"products": [{"title": "Cup", "variants": [{"title": "Cup", "sku": "A"}]}]})
    files.load(shirt({"title": "Default"}))
    [problem] = files.refused(shirt({"title": "Default", "sku": "A"}))
    assert problem.startswith("products[0].variants[0].sku: 'A' belongs to variant_")
