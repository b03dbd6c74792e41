"""Products with their images, options and variants."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from catalog import search
from catalog.models import Product, ProductImage, ProductOption, ProductVariant
from catalog.products import image_editing, option_editing
from catalog.products.product_editing import details
from catalog.whole_products import variants
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.parts import Part, Values, is_given, own_state, parts_of, put, refuse
from kit.editing.states import Edited, Fault
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData

_PARTS = ("images", "options", "option_ids", "variants")


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Product]]:
    """Faults in parts name their place, `variants[0].prices[1].amount`."""
    with search.paused():
        edited = details.VERBS.put_inside(actor=actor, states=list(map(_details, states)))
        ids = [one.row.pk for one in edited]
        parts = _Parts(states, ids, actor)
        parts.put_images()
        parts.delete_variants()
        parts.put_options()
        parts.put_variants()
    search.refresh(ids)
    return [Edited(one.row, one.is_new, one.is_changed or index in parts.changed) for index, one in enumerate(edited)]


VERBS = RowVerbs(
    Product,
    (*details.VERBS.columns, *_PARTS),
    extras=("former_handles", *_PARTS),
    put=_put,
    delete=partial(delete_rows, parts=details.PARTS),
    restore=partial(restore_rows, parts=details.PARTS),
)
"""images, variants: all of a product, as mappings. Those with an `id` are stored ones; what is left out is deleted.
options: of a new product, with `title` and `values`. option_ids: the options that a stored product keeps. The first
image of a new product is its thumbnail by default.
"""


def _details(state: Any) -> Any:
    """The state of the product's own row. A handle of null is none."""
    given, changes = state.given_values(), dict[str, object]()
    if state.id is None and "thumbnail" not in given and given.get("images"):
        changes["thumbnail"] = state.images[0]["url"]
    if state.handle is None:
        changes["handle"] = ABSENT
    return own_state(details.VERBS, state, **changes)


class _Parts:
    """The parts of a batch of products. changed: the places of the products whose parts have changed."""

    def __init__(self, states: Sequence[Any], ids: Sequence[str], actor: Actor) -> None:
        """ids: of the products, in the order of their states."""
        self._states, self._ids, self._actor = states, ids, actor
        self.changed: set[int] = set()

    def put_images(self) -> None:
        """One keeps its row by its id or its address."""
        parts, stored = parts_of(self._states, "images"), self._stored(ProductImage, "images")
        keys = self._image_keys(parts, stored)
        self._refuse_foreign(parts, stored)
        self._delete(image_editing.VERBS, {key: row for key, row in stored.items() if key not in keys})
        given = [
            part.values | self._owner(part, key) | {"rank": part.place} for part, key in zip(parts, keys, strict=True)
        ]
        self._put(image_editing.VERBS.put_inside, parts, [image_editing.VERBS.state(**values) for values in given])

    def _image_keys(self, parts: Sequence[Part], stored: Mapping[str, ProductImage]) -> list[str | None]:
        """The ids of the stored images that the parts are, each of one part; None for a new one."""
        named = {part.values.get("id") for part in parts}
        by_url = defaultdict[tuple[str, str], list[str]](list)
        for key, row in sorted(stored.items(), reverse=True):
            if key not in named:
                by_url[row.product_id, row.url].append(key)
        free = [by_url[self._ids[part.index], part.values["url"]] for part in parts]
        return [part.values.get("id") or (keys.pop() if keys else None) for part, keys in zip(parts, free, strict=True)]

    def delete_variants(self) -> None:
        """Those that are left out."""
        parts, stored = parts_of(self._states, "variants"), self._stored(ProductVariant, "variants")
        self._refuse_foreign(parts, stored)
        kept = {part.values.get("id") for part in parts}
        self._delete(variants.VERBS, {key: row for key, row in stored.items() if key not in kept})

    def put_options(self) -> None:
        """Delete those that a product does not keep, and add those of new products, values in order of their ranks."""
        stored = self._stored(ProductOption, "option_ids")
        kept = [
            (index, key)
            for index, one in enumerate(self._states)
            if is_given(one, "option_ids")
            for key in one.option_ids
        ]
        foreign = [
            (index, key) for index, key in kept if key not in stored or stored[key].product_id != self._ids[index]
        ]
        message = "The product has no option with id: {}"
        refuse(Product, [Fault(index, "option_ids", InvalidData(message.format(key))) for index, key in foreign])
        names = {key for _, key in kept}
        self._delete(option_editing.VERBS, {key: row for key, row in stored.items() if key not in names})
        parts = parts_of(self._states, "options")
        given = [{"title": part.values["title"], "values": _ranked(part.values)} | self._owner(part) for part in parts]
        self._put(option_editing.VERBS.put_inside, parts, [option_editing.VERBS.state(**values) for values in given])

    def put_variants(self) -> None:
        """Those of new products are ranked as they are sent."""
        parts, wanted = parts_of(self._states, "variants"), []
        for part in parts:
            product, owner = self._states[part.index], self._owner(part, part.values.get("id"))
            rank = {"variant_rank": part.place} if product.id is None else {}
            merging = {"merges_metadata": product.merges_metadata}
            wanted.append(variants.VERBS.state(**rank | part.values | owner | merging))
        self._put(variants.put_variants, parts, wanted)

    def _owner(self, part: Part, key: str | None = None) -> dict[str, str]:
        """What a stored part is known by, or what a new one belongs to."""
        return {"id": key} if key else {"product_id": self._ids[part.index]}

    def _stored(self, model: Any, name: str) -> dict[str, Any]:
        """The rows of stored products whose states give parts of that name, by id. One statement, if there are any."""
        given = [one.id is not None and is_given(one, name) for one in self._states]
        products = [key for key, is_replaced in zip(self._ids, given, strict=True) if is_replaced]
        return {row.pk: row for row in model.objects.not_deleted().filter(product__in=products)} if products else {}

    def _refuse_foreign(self, parts: Sequence[Part], stored: Mapping[str, Any]) -> None:
        """Refuse ids that name no part of the product."""
        named = [(part, part.values["id"]) for part in parts if "id" in part.values]
        foreign = [one for one in named if one[1] not in stored or stored[one[1]].product_id != self._ids[one[0].index]]
        message = "The product has none with id: {}"
        refuse(Product, [part.fault("id", InvalidData(message.format(key))) for part, key in foreign])

    def _delete(self, verbs: RowVerbs[Any], rows: Mapping[str, Any]) -> None:
        if rows:
            verbs.delete(actor=self._actor, ids=sorted(rows))
            self.changed |= {self._ids.index(row.product_id) for row in rows.values()}

    def _put(self, write: Callable[..., Sequence[Edited[Any]]], parts: Sequence[Part], states: Sequence[Any]) -> None:
        edited = put(write, parts, states, of=Product, actor=self._actor)
        self.changed |= {part.index for part, one in zip(parts, edited, strict=True) if one.is_changed}


def _ranked(option: Values) -> list[str]:
    """The values in the order of their ranks; those without stay behind."""
    ranks = option.get("ranks", {})
    return sorted(option["values"], key=lambda value: ranks.get(value, len(option["values"])))
