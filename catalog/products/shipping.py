"""Whether the goods of a variant are shipped.

Why: docs/decisions/shipping.md#goods-ship-by-default.
"""

from typing import TypeVar, cast

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from catalog.models import VariantInventoryItem

Rows = TypeVar("Rows", bound=Model)


def with_is_shipped(rows: QuerySet[Rows], *, variant: str) -> QuerySet[Rows]:
    """The rows with `is_shipped`: whether they require shipping.

    It is False if the product, or every inventory item of the variant, does not require shipping.

    variant: the column or ORM path of the variant's id. Gift cards count like all other goods.
    """
    items = VariantInventoryItem.objects.not_deleted().filter(
        variant=OuterRef(variant), inventory_item__deleted_at=None
    )
    has_shipped_item = Exists(items.filter(inventory_item__requires_shipping=True))
    is_shipped = Q(product__requires_shipping=True) & (Q(has_shipped_item) | ~Exists(items))
    return cast("QuerySet[Rows]", rows.annotate(is_shipped=is_shipped))
