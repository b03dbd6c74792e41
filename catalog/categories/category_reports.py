"""Reporting categories that a place gains, loses or keeps."""

from collections.abc import Collection, Iterable

from catalog.models import ProductCategory
from kit.editing.reporting import Change, report, touch


def report_places(
    change: Change, rows: Collection[ProductCategory], *, former_parents: Iterable[str | None] = ()
) -> None:
    """Report the rows, whose places have changed, and their parents, former ones among them, since these show them."""
    report(ProductCategory, change, rows)
    parents = {*former_parents, *(row.parent_category_id for row in rows)}
    touch(ProductCategory, [key for key in parents if key is not None])
