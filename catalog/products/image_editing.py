"""The images of products, as staff maintain them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Max

from catalog.models import Product, ProductImage
from catalog.products.picture_addresses import use_addresses
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductImage]]:
    """UnusablePicture is among the faults."""
    lock_parents(Product, states, "product_id", of=ProductImage)
    is_last = [state.rank is None or (state.id is None and state.rank is ABSENT) for state in states]
    ranked = [replace(state, rank=ABSENT) if last else state for state, last in zip(states, is_last, strict=True)]
    edits = RowEdits(ProductImage, ranked, actor=actor)
    use_addresses(edits, states, "url")
    _put_last(edits, [index for index, last in enumerate(is_last) if last])
    return edits.write()


VERBS = RowVerbs(ProductImage, ("product_id", "url", "rank", "metadata"), put=_put, delete=delete_rows)
"""rank: None for the last place, which a new image without a rank gets, too."""


def _put_last(edits: RowEdits[ProductImage], places: Sequence[int]) -> None:
    """Rank the images at these places of the batch behind all others of their products."""
    if not places:
        return
    moved = {edits.rows[place].pk for place in places}
    images = ProductImage.objects.not_deleted().filter(product__in={edits.rows[place].product_id for place in places})
    others = images.exclude(pk__in=[row.pk for row in edits.rows])
    ranks: dict[str, int] = dict(others.order_by().values_list("product").annotate(Max("rank")))
    for row in edits.rows:
        if row.pk not in moved:
            ranks[row.product_id] = max(row.rank, ranks.get(row.product_id, -1))
    for place in places:
        row = edits.rows[place]
        ranks[row.product_id] = ranks.get(row.product_id, -1) + 1
        edits.change(place, {"rank": ranks[row.product_id]})
