"""Ranks: children of one parent that are not deleted have ranks 0…n-1. One statement per change, for any number.

A shifted sibling is reported: its rank is shown, and clients that sync by updated_at must see the change.
"""

from django.db.models import F

from catalog.models import ProductCategory, ProductCategoryQuerySet
from kit.editing.reporting import touch
from kit.errors import InvalidData


def siblings(parent_id: str | None) -> ProductCategoryQuerySet:
    """The children of the parent, or the roots, that are not deleted."""
    return ProductCategory.objects.not_deleted().filter(parent_category_id=parent_id)


def place(rank: int | None, *, last: int) -> int:
    """The rank clamped to the last free place; None is the last. Raises InvalidData for a negative one."""
    if rank is not None and rank < 0:
        raise InvalidData("Value for field 'rank' too small, expected at least: '0'")
    return last if rank is None else min(rank, last)


def open_gap(parent_id: str | None, rank: int) -> None:
    """Make room at the rank."""
    _shift(siblings(parent_id).filter(rank__gte=rank), by=1)


def close_gap(parent_id: str | None, rank: int) -> None:
    """Close the gap that a removed child has left."""
    _shift(siblings(parent_id).filter(rank__gt=rank), by=-1)


def shift_between(parent_id: str | None, *, before: int, after: int) -> None:
    """Shift the siblings between a child's old and new rank."""
    if before < after:
        _shift(siblings(parent_id).filter(rank__gt=before, rank__lte=after), by=-1)
    elif after < before:
        _shift(siblings(parent_id).filter(rank__gte=after, rank__lt=before), by=1)


def _shift(rows: ProductCategoryQuerySet, *, by: int) -> None:
    shifted = list(rows.values_list("pk", flat=True))
    rows.filter(pk__in=shifted).update(rank=F("rank") + by)
    touch(ProductCategory, shifted)
