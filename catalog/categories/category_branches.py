"""The path and the two derived flags of a category, and their updates in its descendants.

Descendants keep their updated_at, since none of the fields that they show have changed.
"""

from dataclasses import dataclass

from django.db.models import Max, TextField, Value
from django.db.models.functions import Concat, Length, Replace, Substr

from catalog.models import ProductCategory, ProductCategoryQuerySet


@dataclass(frozen=True, slots=True)
class Derived:
    """The fields that follow from a category's place in the tree."""

    path: str
    is_visible: bool
    in_deleted_branch: bool

    @classmethod
    def of(cls, category: ProductCategory) -> "Derived":
        return cls(category.path, category.is_visible, category.in_deleted_branch)


def derive(category: ProductCategory) -> None:
    """Set path and flags of the unsaved instance from its own fields and its parent's derived ones."""
    parent = category.parent_category
    category.path = category.pk if parent is None else f"{parent.path}.{category.pk}"
    shown = category.is_active and not category.is_internal
    category.is_visible = shown and (parent is None or parent.is_visible)
    category.in_deleted_branch = category.deleted_at is not None or (parent is not None and parent.in_deleted_branch)


def update_descendants(category: ProductCategory, *, before: Derived) -> None:
    """Update the descendants of the saved category, whose derived fields were `before`.

    Hiding a category hides its whole branch in one statement. Showing it goes level by level, since a descendant may
    be hidden for its own reasons: at most one statement per level of the tree.
    """
    if before.path != category.path:
        moved = ProductCategory.objects.filter(path__gte=f"{before.path}.", path__lt=f"{before.path}/")
        rest = Substr("path", len(before.path) + 1, output_field=TextField())
        moved.update(path=Concat(Value(category.path, output_field=TextField()), rest))
    branch = ProductCategory.objects.below(category)
    if before.is_visible and not category.is_visible:
        branch.filter(is_visible=True).update(is_visible=False)
    elif category.is_visible and not before.is_visible:
        _show(branch)
    # A category with children cannot be deleted, nor moved into a deleted branch: this flag is only ever cleared here.
    if before.in_deleted_branch and not category.in_deleted_branch:
        _revive(branch)


def height(category: ProductCategory) -> int:
    """Levels below the category; 0 without descendants."""
    dots = Length("path") - Length(Replace("path", Value("."), Value("")))
    deepest = ProductCategory.objects.below(category).aggregate(deepest=Max(dots))["deepest"]
    return 0 if deepest is None else int(deepest) - category.depth


def _show(branch: ProductCategoryQuerySet) -> None:
    hidden = branch.filter(is_visible=False, is_active=True, is_internal=False)
    while hidden.filter(parent_category__is_visible=True).update(is_visible=True):
        pass


def _revive(branch: ProductCategoryQuerySet) -> None:
    buried = branch.filter(in_deleted_branch=True, deleted_at=None)
    while buried.filter(parent_category__in_deleted_branch=False).update(in_deleted_branch=False):
        pass
