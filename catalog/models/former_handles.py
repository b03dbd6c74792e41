"""Handles that rows had before: each keeps leading to the row that had it last.

Only catalog/former_handles.py writes them. Why: docs/decisions/catalogue.md#former-handles-keep-leading-to-their-row.
"""

from typing import Any, Self

from django.db import models
from django.db.models import Exists, OuterRef

from catalog.models.categories import ProductCategory
from catalog.models.labels import ProductCollection
from catalog.models.products import Product
from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.values.text import LONGEST

FORMER = "former_handles"
"""The way from a row to its former handles."""


class FormerHandleQuerySet(ResourceQuerySet):
    """Former handles, limited to those by which the actor finds a row."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Those that no row which the actor may see has at present: a present handle wins."""
        owners: Any = self.model._meta.get_field("owner").related_model
        present = owners.objects.visible_to(actor, with_deleted=with_deleted)
        return self.filter(~Exists(present.filter(handle=OuterRef("handle"))))


class FormerHandle(models.Model):
    """A handle that its owner had before. One that several rows have had belongs to the last of them."""

    handle = models.CharField(max_length=LONGEST, primary_key=True)

    objects = FormerHandleQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.handle


class FormerProductHandle(FormerHandle):
    """A handle that a product had before."""

    owner = models.ForeignKey(Product, on_delete=models.CASCADE, related_name=FORMER)


class FormerCollectionHandle(FormerHandle):
    """A handle that a collection had before."""

    owner = models.ForeignKey(ProductCollection, on_delete=models.CASCADE, related_name=FORMER)


class FormerCategoryHandle(FormerHandle):
    """A handle that a category had before."""

    owner = models.ForeignKey(ProductCategory, on_delete=models.CASCADE, related_name=FORMER)
