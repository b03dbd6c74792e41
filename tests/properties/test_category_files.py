"""Random category files: loaded, the tree is whole; loaded again or dumped and loaded, nothing changes."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.models import ProductCategory
from commerce.operations.shop_files import shop_files
from commerce.operations.shop_files.json_streams import NotAShopFile
from commerce.operations.shop_files.shop_files import ShopFileRefused
from tests.catalog.trees import faults

handles = st.sampled_from([f"h{number}" for number in range(5)])
moments = st.sampled_from([None, "2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z"])
optional = {
    "parent": st.none() | handles,
    "rank": st.integers(0, 4),
    "is_active": st.booleans(),
    "is_internal": st.booleans(),
    "deleted_at": moments,
    "description": st.sampled_from(["", "words"]),
    "metadata": st.none() | st.dictionaries(st.sampled_from("ab"), st.integers() | st.booleans() | st.floats()),
}
categories = st.fixed_dictionaries({"name": st.just("Name"), "handle": handles}, optional=optional)
files = st.lists(categories, max_size=5, unique_by=lambda category: category["handle"])


@pytest.mark.django_db
@settings(max_examples=30)
@given(st.lists(files, min_size=1, max_size=3))
def test_any_files_leave_a_whole_tree_that_they_describe(tmp_path_factory, contents):
    path = str(tmp_path_factory.getbasetemp() / "categories.json")
    with transaction.atomic():
        for content in contents:
            load(path, content)
            assert faults() == []
        dumped = BytesIO()
        shop_files.dump(dumped, only=["product_categories"])
        before = all_columns()
        Path(path).write_bytes(dumped.getvalue())
        shop_files.load(path)
        assert all_columns() == before
        transaction.set_rollback(True)


def load(path: str, content: list[dict]) -> None:
    """Load the content; what it says must then be so, and loading it again must change nothing."""
    Path(path).write_text(json.dumps({"product_categories": content}))
    before = all_columns()
    try:
        shop_files.load(path)
    except (NotAShopFile, ShopFileRefused):
        assert all_columns() == before
        return
    for said in content:
        rows = ProductCategory.objects.filter(handle=said["handle"], deleted_at=said.get("deleted_at"))
        row = rows.latest("pk")
        assert row.parent_category is None or row.parent_category.handle == said.get(
            "parent", row.parent_category.handle
        )
        assert all(
            getattr(row, name) == said[name] for name in ("is_active", "is_internal", "description") if name in said
        )
    loaded = all_columns()
    shop_files.load(path)
    assert all_columns() == loaded


def all_columns() -> list[dict]:
    """All columns of all categories, deleted ones too."""
    return list(ProductCategory._base_manager.order_by("pk").values())
