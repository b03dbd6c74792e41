"""Products with their images, options and variants."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from catalog import search
from catalog.models import Product
from catalog.nested_writes import variants
from catalog.products import image_editing, option_editing
from catalog.products.product_editing import details
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.parts import Part, Parts, PartWriter, Values, own_state
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs

_IMAGES = Parts("images", image_editing.VERBS, "product_id")
_OPTIONS = Parts("options", option_editing.VERBS, "product_id")
_KEPT_OPTIONS = Parts("option_ids", option_editing.VERBS, "product_id", names={"id": ""})
_VARIANTS = Parts("variants", variants.VERBS, "product_id")
_PARTS = ("images", "options", "option_ids", "variants")


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Product]]:
    """Faults in parts name their place, `variants[0].prices[1].amount`."""
    with search.paused():
        edited = details.VERBS.put_inside(actor=actor, states=list(map(_details, states)))
        writer = PartWriter(edited, states, actor=actor)
        _put_images(writer)
        kept = _variants(writer, states)
        writer.delete_others(_VARIANTS, kept, writer.stored(_VARIANTS))
        _put_options(writer)
        writer.put(_VARIANTS, kept)
    search.refresh([one.row.pk for one in edited])
    return writer.edited


VERBS = RowVerbs(
    Product,
    (*details.VERBS.columns, *_PARTS),
    extras=("former_handles", *_PARTS),
    put=_put,
    delete=partial(delete_rows, parts=details.PARTS),
    restore=partial(restore_rows, parts=details.PARTS),
)
"""images, variants: lists of dictionaries, which replace the stored ones. An item with an `id` changes that row.
options: of a new product, dictionaries with `title` and `values`. option_ids: the options that a stored product keeps;
its others are deleted. The first image of a new product is its thumbnail by default.
"""


def _details(state: Any) -> Any:
    """The state of the product's own row. A handle of null is none."""
    given, changes = state.given_values(), dict[str, object]()
    if state.id is None and "thumbnail" not in given and given.get("images"):
        changes["thumbnail"] = state.images[0]["url"]
    if state.handle is None:
        changes["handle"] = ABSENT
    return own_state(details.VERBS, state, **changes)


def _put_images(writer: PartWriter[Product]) -> None:
    """Images are shown in the order of the list. One keeps its row by its id or its address."""
    parts, stored = writer.parts(_IMAGES), writer.stored(_IMAGES)
    named = {part.values.get("id") for part in parts}
    free = defaultdict[tuple[str, str], list[str]](list)
    for key, row in sorted(stored.items(), reverse=True):
        if key not in named:
            free[row.product_id, row.url].append(key)
    wanted = []
    for part in parts:
        values = {"rank": part.place, **part.values}
        if "id" not in values and (keys := free[writer.key(_IMAGES, part), values["url"]]):
            values["id"] = keys.pop()
        wanted.append(replace(part, values=values))
    writer.replace(_IMAGES, wanted, stored)


def _put_options(writer: PartWriter[Product]) -> None:
    """Delete those that a product does not keep, and add those of new products, values in order of their ranks."""
    kept = [replace(part, values={"id": part.values}) for part in writer.parts(_KEPT_OPTIONS)]
    writer.delete_others(_KEPT_OPTIONS, kept, writer.stored(_KEPT_OPTIONS))
    given = [(part, part.values["title"], _ranked(part.values)) for part in writer.parts(_OPTIONS)]
    writer.put(_OPTIONS, [replace(part, values={"title": title, "values": values}) for part, title, values in given])


def _variants(writer: PartWriter[Product], states: Sequence[Any]) -> list[Part]:
    """The variants to write. Those of a new product are ranked in the order of the list."""
    wanted = []
    for part in writer.parts(_VARIANTS):
        product = states[part.index]
        rank = {"variant_rank": part.place} if product.id is None else {}
        wanted.append(replace(part, values={**rank, **part.values, "merges_metadata": product.merges_metadata}))
    return wanted


def _ranked(option: Values) -> list[str]:
    """The values in the order of their ranks; those without stay behind."""
    ranks = option.get("ranks", {})
    return sorted(option["values"], key=lambda value: ranks.get(value, len(option["values"])))
