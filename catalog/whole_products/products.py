"""Products with their images, options and variants."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from catalog import search
from catalog.models import Product, ProductImage, ProductOption, ProductVariant
from catalog.products import image_editing, option_editing
from catalog.products.product_editing import details
from catalog.whole_products import variants
from catalog.whole_products.parts import Part, Values, columns_of, is_given, parts_of, put, refuse
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData

_PARTS = ("images", "options", "option_ids", "variants")


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Product]]:
    """Faults in parts name their place, `variants[0].prices[1].amount`."""
    with search.paused():
        edited = _put_details(states, actor=actor)
        ids = [one.row.pk for one in edited]
        changed = _put_images(states, ids, actor=actor)
        changed |= _delete_variants(states, ids, actor=actor)
        changed |= _put_options(states, ids, actor=actor)
        changed |= _put_variants(states, ids, actor=actor)
    search.refresh(ids)
    variants.touch_products({ids[index] for index in changed if not edited[index].is_new})
    return [Edited(one.row, one.is_new, one.is_changed or index in changed) for index, one in enumerate(edited)]


VERBS = RowVerbs(
    Product,
    (*details.VERBS.columns, *_PARTS),
    extras=("former_handles", *_PARTS),
    put=_put,
    delete=partial(delete_rows, parts=details.PARTS),
    restore=partial(restore_rows, parts=details.PARTS),
)
"""images, variants: all of a product, as mappings. Those with an `id` are stored ones; what is left out is deleted.
options: of a new product, with `title` and `values`. option_ids: the options that a stored product keeps.
"""


def _put_details(states: Sequence[Any], *, actor: Actor) -> Sequence[Edited[Product]]:
    """The first image of a new product is its thumbnail by default."""
    derived = [_has_no_thumbnail(state) and {"thumbnail": state.images[0]["url"]} for state in states]
    wanted = []
    for state, thumbnail in zip(states, derived, strict=True):
        given = columns_of(details.VERBS, state) | (thumbnail or {})
        if given.get("handle", "") is None:
            del given["handle"]
        wanted.append(details.VERBS.state(**given))
    try:
        return details.VERBS.put_inside(actor=actor, states=wanted)
    except RowsRefused as refusal:
        raise RowsRefused(
            Product,
            [
                replace(fault, field="images[0].url") if fault.field == "thumbnail" and derived[fault.index] else fault
                for fault in refusal.faults
            ],
        ) from None


def _has_no_thumbnail(state: Any) -> bool:
    """Whether it is a new product's that has images."""
    return state.id is None and state.thumbnail is ABSENT and is_given(state, "images") and bool(state.images)


def _put_images(states: Sequence[Any], ids: Sequence[str], *, actor: Actor) -> set[int]:
    """Returns the places of the products whose images have changed. One keeps its row by its id or its address."""
    parts = parts_of(states, "images")
    stored = _stored(ProductImage, states, ids, "images")
    by_url = {(row.product_id, row.url): key for key, row in stored.items()}
    keys = [part.values.get("id") or by_url.get((ids[part.index], part.values["url"])) for part in parts]
    _refuse_foreign(parts, stored, ids)
    changed = _delete(image_editing.VERBS, {key: row for key, row in stored.items() if key not in keys}, ids, actor)
    images = [
        image_editing.VERBS.state(**part.values | _identity(key, ids[part.index]) | {"rank": part.place})
        for part, key in zip(parts, keys, strict=True)
    ]
    return changed | _changed(parts, put(image_editing.VERBS.put_inside, parts, images, of=Product, actor=actor))


def _put_options(states: Sequence[Any], ids: Sequence[str], *, actor: Actor) -> set[int]:
    """Returns the places of the products whose options have changed."""
    stored = _stored(ProductOption, states, ids, "option_ids")
    kept = {key for state in states if is_given(state, "option_ids") for key in state.option_ids}
    unknown = [
        Fault(index, "option_ids", InvalidData(f"The product has no option with id: {key}"))
        for index, state in enumerate(states)
        for key in (state.option_ids if is_given(state, "option_ids") else ())
        if key not in stored or stored[key].product_id != ids[index]
    ]
    if unknown:
        raise RowsRefused(Product, unknown)
    changed = _delete(option_editing.VERBS, {key: row for key, row in stored.items() if key not in kept}, ids, actor)
    parts = parts_of(states, "options")
    options = [
        option_editing.VERBS.state(product_id=ids[part.index], title=part.values["title"], values=_ranked(part.values))
        for part in parts
    ]
    return changed | _changed(parts, put(option_editing.VERBS.put_inside, parts, options, of=Product, actor=actor))


def _delete_variants(states: Sequence[Any], ids: Sequence[str], *, actor: Actor) -> set[int]:
    """Returns the places of the products that lose variants."""
    parts = parts_of(states, "variants")
    stored = _stored(ProductVariant, states, ids, "variants")
    _refuse_foreign(parts, stored, ids)
    kept = {part.values.get("id") for part in parts}
    return _delete(variants.VERBS, {key: row for key, row in stored.items() if key not in kept}, ids, actor)


def _put_variants(states: Sequence[Any], ids: Sequence[str], *, actor: Actor) -> set[int]:
    """Returns the places of the products whose variants have changed."""
    parts = parts_of(states, "variants")
    wanted = []
    for part in parts:
        product, identity = states[part.index], _identity(part.values.get("id"), ids[part.index])
        rank = {"variant_rank": part.place} if product.id is None else {}
        merging = {"merges_metadata": product.merges_metadata}
        wanted.append(variants.VERBS.state(**rank | part.values | identity | merging))
    return _changed(parts, put(variants.put_variants, parts, wanted, of=Product, actor=actor))


def _identity(key: str | None, product_id: str) -> dict[str, str]:
    """What a stored part is known by, or what a new one belongs to."""
    return {"id": key} if key else {"product_id": product_id}


def _stored(model: Any, states: Sequence[Any], ids: Sequence[str], name: str) -> dict[str, Any]:
    """The rows of stored products whose states give the parts of that name, by id. One statement, if there are any."""
    products = [key for key, state in zip(ids, states, strict=True) if state.id is not None and is_given(state, name)]
    return {row.pk: row for row in model.objects.not_deleted().filter(product__in=products)} if products else {}


def _refuse_foreign(parts: Sequence[Part], stored: Mapping[str, Any], ids: Sequence[str]) -> None:
    """Refuse ids that name no part of the product."""
    named = [(part, part.values["id"]) for part in parts if "id" in part.values]
    foreign = [(part, key) for part, key in named if key not in stored or stored[key].product_id != ids[part.index]]
    refuse(Product, [(part, "id", InvalidData(f"The product has none with id: {key}")) for part, key in foreign])


def _delete(verbs: RowVerbs[Any], rows: Mapping[str, Any], ids: Sequence[str], actor: Actor) -> set[int]:
    """Returns the places of their products."""
    if rows:
        verbs.delete(actor=actor, ids=sorted(rows))
    return {ids.index(row.product_id) for row in rows.values()}


def _changed(parts: Sequence[Part], edited: Sequence[Edited[Any]]) -> set[int]:
    return {part.index for part, one in zip(parts, edited, strict=True) if one.is_changed}


def _ranked(option: Values) -> list[str]:
    """The values in the order of their ranks; those without stay behind."""
    ranks = option.get("ranks", {})
    return sorted(option["values"], key=lambda value: ranks.get(value, len(option["values"])))
