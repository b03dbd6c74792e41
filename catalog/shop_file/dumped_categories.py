"""Categories as objects of the shop file, parents first."""

from collections.abc import Iterator

from catalog.models import ProductCategory
from catalog.models.former_handles import FORMER
from catalog.shop_file.handles import SEARCH_ENGINES, FormerHandles
from kit.editing.changes import BATCH
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat


def dumped_categories() -> Iterator[JSONObject]:
    """All categories, also deleted ones."""
    rows = ProductCategory.objects.select_related("parent_category").prefetch_related(FORMER).order_by("path")
    for category in rows.iterator(chunk_size=BATCH):
        parent = category.parent_category
        yield {
            "id": category.pk,
            "handle": category.handle,
            "name": category.name,
            "description": category.description,
            **{name: getattr(category, name) for name in SEARCH_ENGINES},
            "parent": parent and (parent.handle if parent.deleted_at is None else parent.pk),
            "rank": category.rank,
            "is_active": category.is_active,
            "is_internal": category.is_internal,
            FORMER: FormerHandles().dumped(category, FORMER),
            "metadata": category.metadata,
            "created_at": isoformat(category.created_at),
            "deleted_at": category.deleted_at and isoformat(category.deleted_at),
        }
