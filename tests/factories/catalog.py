"""Categories for tests, made by the tree's own verbs: their derived columns are never a test's invention."""

from typing import Any

import factory

from catalog.categories import category_tree
from catalog.models import ProductCategory
from kit.domain.actor import SYSTEM


class CategoryFactory(factory.django.DjangoModelFactory[ProductCategory]):
    """A root category at the end of the roots; `parent` puts it below another."""

    name = factory.Sequence(lambda number: f"Category {number}")

    class Meta:
        model = ProductCategory

    @classmethod
    def _create(cls, model_class: type[ProductCategory], *args: Any, **kwargs: Any) -> ProductCategory:
        parent: ProductCategory | None = kwargs.pop("parent", None)
        return category_tree.create(actor=SYSTEM, parent_id=parent and parent.pk, **kwargs)
