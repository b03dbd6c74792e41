"""Creating, changing and deleting the images of products, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Max

from catalog.models import Product, ProductImage
from catalog.products.picture_addresses import use_addresses
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.values.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageState(RowState):
    """The desired state of an image. rank: None for the last place, which a new image without a rank gets, too."""

    product_id: str | Absent = ABSENT
    url: str | Absent = ABSENT
    rank: int | Absent | None = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[ImageState]) -> list[Edited[ProductImage]]:
    """Create and change images: all of them, or none.

    Raises NotFound, RowsRefused (with UnusablePicture among the faults), Forbidden.
    """
    lock_parents(Product, states, "product_id", of=ProductImage)
    is_last = [state.rank is None or (state.id is None and state.rank is ABSENT) for state in states]
    ranked = [replace(state, rank=ABSENT) if last else state for state, last in zip(states, is_last, strict=True)]
    edits = RowEdits(ProductImage, ranked, actor=actor)
    use_addresses(edits, states, "url")
    _put_last(edits, [index for index, last in enumerate(is_last) if last])
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete images. Raises NotFound, Forbidden."""
    delete_rows(ProductImage, ids, actor=actor)


VERBS = RowVerbs(state=ImageState, put=put, delete=delete)


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
