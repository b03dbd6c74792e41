"""The verbs of the category tree.

Each locks the tree until its transaction ends, since ranks, paths and derived flags of a branch change together.
Why: docs/decisions/catalogue.md#the-visibility-of-categories-is-stored.
"""

from typing import TypedDict, Unpack

from django.db import transaction

from catalog import former_handles, handles
from catalog.categories.category_branches import Derived, derive, height, update_descendants
from catalog.categories.category_details import CategoryDetails, checked_details, refuse_taken
from catalog.categories.category_ranks import close_gap, open_gap, place, shift_between, siblings
from catalog.categories.category_reports import report_places
from catalog.errors import (
    CategoryHasChildren,
    CategoryNotDeleted,
    CategoryNotFound,
    MoveIntoOwnBranch,
    ParentCategoryDeleted,
    ParentCategoryNotFound,
    TreeTooDeep,
)
from catalog.models import MAX_DEPTH, ProductCategory
from kit.database.locking import lock_named
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report, reported
from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from kit.values.timestamps import now

LOCK = "catalog.category_tree"


class Position(TypedDict, total=False):
    """Where to move a category; omitted fields stay."""

    parent_id: str | None
    rank: int | None


def lock_tree() -> None:
    """Lock all categories until the transaction ends. Call it before reading any of them."""
    lock_named(LOCK)


@transaction.atomic
@reported()
def create(
    *,
    actor: Actor,
    name: str,
    handle: str | None = None,
    description: str = "",
    seo_title: str | None = None,
    seo_description: str | None = None,
    parent_id: str | None = None,
    rank: int | None = None,
    is_active: bool = True,
    is_internal: bool = False,
    metadata: Metadata | None = None,
) -> ProductCategory:
    """Add a category below the parent, or as a root.

    handle: derived from the name if not given. rank: 0 is the first child; None, or more than the count, the last.
    Raises InvalidData (naming the field), HandleRequired, HandleTaken, ParentCategoryNotFound, TreeTooDeep, Forbidden.
    """
    actor.require("catalog.add_productcategory")
    given: CategoryDetails = {
        "name": name,
        "description": description,
        "seo_title": seo_title,
        "seo_description": seo_description,
        "is_active": is_active,
        "is_internal": is_internal,
        "metadata": metadata,
    }
    if handle is not None:
        given["handle"] = handle
    details = checked_details(**given)
    details["handle"] = handles.handle_of(name) if handle is None else handles.checked(handle)
    lock_tree()
    refuse_taken(details["handle"])
    parent = _parent(parent_id)
    category = ProductCategory(**details, parent_category=parent)
    category.rank = place(rank, last=siblings(parent_id).count())
    derive(category)
    _refuse_too_deep(category.depth)
    open_gap(parent_id, category.rank)
    category.save(force_insert=True)
    report_places(Change.CREATED, [category])
    return category


@transaction.atomic
@reported()
def update(*, actor: Actor, category_id: str, **changes: Unpack[CategoryDetails]) -> ProductCategory:
    """Change the given fields. If none of them differ, updated_at stays too.

    metadata: merged into the stored one (kit/values/metadata.py). A new name does not change the handle.
    former_handles: all of them; the handle that the change replaces is added.
    Raises CategoryNotFound, InvalidData (naming the field), HandleTaken, Forbidden.
    """
    actor.require("catalog.change_productcategory")
    details = checked_details(**changes)
    lock_tree()
    category = _category(category_id)
    former = details.pop("former_handles", None)
    if details.get("metadata") is not None:
        details["metadata"] = metadata_rules.merged(category.metadata, details["metadata"])
    if "handle" in details and details["handle"] != category.handle:
        handles.checked(details["handle"])
        refuse_taken(details["handle"], by_others_than=category.pk)
    values: dict[str, object] = {**details}
    changed = [field for field, value in values.items() if not metadata_rules.same(getattr(category, field), value)]
    if changed:
        before, handle = Derived.of(category), category.handle
        for field in changed:
            setattr(category, field, values[field])
        _save(category, before=before, changed=changed)
        report(ProductCategory, Change.UPDATED, [category])
    if former is not None:
        former_handles.replace({category: former})
    if "handle" in changed:
        hidden = () if before.is_visible else (category.pk,)
        former_handles.remember(ProductCategory, {category.pk: handle}, hidden=hidden)
    return category


@transaction.atomic
@reported()
def move(*, actor: Actor, category_id: str, **position: Unpack[Position]) -> ProductCategory:
    """Move the category with its branch: to another parent, another rank, or both.

    parent_id: None makes it a root. rank: among the other children of that parent, at most the end; without one, the
    rank below the same parent stays, and below another it is the end.
    Raises CategoryNotFound, ParentCategoryNotFound, MoveIntoOwnBranch, TreeTooDeep, InvalidData (rank), Forbidden.
    """
    actor.require("catalog.change_productcategory")
    lock_tree()
    category = _category(category_id)
    parent_id = position.get("parent_id", category.parent_category_id)
    rank = position.get("rank")
    if parent_id == category.parent_category_id:
        return _move_among_siblings(category, rank)
    parent = _parent(parent_id)
    if parent is not None and f"{parent.path}.".startswith(f"{category.path}."):
        raise MoveIntoOwnBranch(category.pk)
    depth = 0 if parent is None else parent.depth + 1
    if depth > category.depth:
        _refuse_too_deep(depth + height(category))
    new_rank = place(rank, last=siblings(parent_id).count())
    close_gap(category.parent_category_id, category.rank)
    open_gap(parent_id, new_rank)
    before, former_parent = Derived.of(category), category.parent_category_id
    category.parent_category, category.rank = parent, new_rank
    _save(category, before=before, changed=["parent_category", "rank"])
    report_places(Change.UPDATED, [category], former_parents=[former_parent])
    return category


@transaction.atomic
@reported()
def delete(*, actor: Actor, category_id: str) -> ProductCategory:
    """Soft-delete a category without children; the ranks of its siblings close up.

    Raises CategoryNotFound, CategoryHasChildren, Forbidden.
    """
    actor.require("catalog.delete_productcategory")
    lock_tree()
    category = _category(category_id)
    if siblings(category.pk).exists():
        raise CategoryHasChildren(category.pk)
    before = Derived.of(category)
    category.deleted_at = now()
    _save(category, before=before, changed=["deleted_at"])
    report_places(Change.DELETED, [category])
    close_gap(category.parent_category_id, category.rank)
    return category


@transaction.atomic
@reported()
def restore(*, actor: Actor, category_id: str) -> ProductCategory:
    """Undo a deletion: the category is again below its parent, at its old rank or the end.

    Raises CategoryNotFound, CategoryNotDeleted, ParentCategoryDeleted, HandleTaken, Forbidden.
    """
    actor.require("catalog.delete_productcategory")
    lock_tree()
    category = _category(category_id, with_deleted=True)
    if category.deleted_at is None:
        raise CategoryNotDeleted(category.pk)
    if category.parent_category is not None and category.parent_category.in_deleted_branch:
        raise ParentCategoryDeleted(category.pk)
    refuse_taken(category.handle)
    before = Derived.of(category)
    category.rank = place(category.rank, last=siblings(category.parent_category_id).count())
    open_gap(category.parent_category_id, category.rank)
    category.deleted_at = None
    _save(category, before=before, changed=["deleted_at", "rank"])
    report_places(Change.CREATED, [category])
    return category


def _category(category_id: str, *, with_deleted: bool = False) -> ProductCategory:
    """The row, hidden or not, even if an ancestor is deleted: it can still be moved out of that branch."""
    rows = ProductCategory.objects.select_related("parent_category")
    category: ProductCategory | None = (rows if with_deleted else rows.not_deleted()).with_id(category_id)
    if category is None:
        raise CategoryNotFound(category_id)
    return category


def _parent(parent_id: str | None) -> ProductCategory | None:
    if parent_id is None:
        return None
    parent: ProductCategory | None = ProductCategory.objects.filter(in_deleted_branch=False).with_id(parent_id)
    if parent is None:
        raise ParentCategoryNotFound(parent_id)
    return parent


def _move_among_siblings(category: ProductCategory, rank: int | None) -> ProductCategory:
    new_rank = category.rank if rank is None else place(rank, last=siblings(category.parent_category_id).count() - 1)
    if new_rank != category.rank:
        shift_between(category.parent_category_id, before=category.rank, after=new_rank)
        category.rank = new_rank
        category.save(update_fields=["rank", "updated_at"])
        report_places(Change.UPDATED, [category])
    return category


def _save(category: ProductCategory, *, before: Derived, changed: list[str]) -> None:
    derive(category)
    category.save(update_fields=[*changed, "path", "is_visible", "in_deleted_branch", "updated_at"])
    update_descendants(category, before=before)


def _refuse_too_deep(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise TreeTooDeep(MAX_DEPTH)
