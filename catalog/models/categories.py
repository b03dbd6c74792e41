"""The category tree.

Each category stores its path, the ids from its root to itself joined by dots, so that a branch is a range of paths.
Only catalog/categories/category_tree.py and the shop file write path, rank and the two derived flags, under the tree's
lock.
"""

from typing import Self

from django.db import models

from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.search.documents import Documented, DocumentField
from kit.values.ids import ByteOrdered, IdField


class PathField(ByteOrdered, models.TextField[str, str]):
    """Ids joined by dots."""


class ProductCategoryQuerySet(ResourceQuerySet):
    """Categories, limited to what the actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff with the permission see all; the store sees categories that, like their ancestors, are public.

        Public means active and not internal. A category below a soft-deleted one counts as deleted too.
        Why: docs/decisions/catalogue.md#the-visibility-of-categories-is-stored.
        """
        # The branch's flag implies deleted_at, which is named because the handles' index is partial on it.
        rows = self if with_deleted else self.filter(in_deleted_branch=False, deleted_at=None)
        return rows if actor.may("catalog.view_productcategory") else rows.filter(is_visible=True)

    def below(self, category: "ProductCategory") -> Self:
        """The category's descendants, without the category itself; '/' is the character after '.'."""
        return self.filter(path__gte=f"{category.path}.", path__lt=f"{category.path}/")


class ProductCategory(Documented, BaseModel):
    """A node of the category tree. `rank` counts from 0 among the children of one parent that are not deleted."""

    event_name = "product-category"
    id = IdField(prefix="pcat")
    name = models.CharField(max_length=255)
    handle = models.CharField(max_length=255)
    description = models.TextField(blank=True, default="")
    seo_title = models.CharField(max_length=255, null=True, blank=True)
    seo_description = models.TextField(null=True, blank=True)
    rank = models.PositiveIntegerField(default=0)
    parent_category = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="category_children"
    )
    is_active = models.BooleanField(default=True)
    is_internal = models.BooleanField(default=False)
    metadata = models.JSONField(null=True, blank=True)
    path = PathField(editable=False)
    is_visible = models.BooleanField(editable=False)
    in_deleted_branch = models.BooleanField(default=False, editable=False)
    document = DocumentField(columns=("name", "description", "handle"), codes=("handle",))

    objects = ProductCategoryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "product categories"
        indexes = [
            models.Index(fields=["path"], name="catalog_category_path"),
            models.Index(fields=["name", "id"], name="catalog_category_name"),
            models.Index(fields=["created_at", "id"], name="catalog_category_created"),
        ]
        constraints = [
            unique_unless_deleted("handle", name="catalog_category_handle_taken"),
            models.CheckConstraint(
                condition=models.Q(is_visible=False) | models.Q(is_active=True, is_internal=False),
                name="catalog_category_visible_if_public",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def depth(self) -> int:
        """0 for a root."""
        return self.path.count(".")


MAX_DEPTH = 32
"""Levels below a root. Limits the depth of answers: the JSON writer stops at 127 levels of objects and lists."""
