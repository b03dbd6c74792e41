"""Linking new variants to their inventory items, which are created if need be."""

from collections.abc import Mapping, Sequence

from catalog.models import ProductVariant
from catalog.stock import inventory_item_editing, inventory_items, variant_items
from kit.domain.actor import Actor
from kit.editing.parts import Part, is_given, parts_of, put, refuse
from kit.editing.states import RowState
from kit.errors import InvalidData

_NAMES = {"inventory_item": "inventory_item_id"}


def put_items(states: Sequence[RowState], rows: Mapping[int, ProductVariant], *, actor: Actor) -> None:
    """Link new variants to their inventory items. rows: the new variants by their place in the batch.

    A variant whose state names none gets the item with its SKU, or a new one, if its inventory is managed and the actor
    may add items.
    """
    parts, text = parts_of(states, "inventory_items"), "Inventory items can only be sent of a new variant"
    refuse(ProductVariant, [part.fault("", InvalidData(text)) for part in parts if part.index not in rows])
    if actor.may("catalog.add_inventoryitem") and actor.may("catalog.add_variantinventoryitem"):
        parts += _own_items(
            {
                index: row
                for index, row in rows.items()
                if row.manage_inventory and not is_given(states[index], "inventory_items")
            },
            actor=actor,
        )
    links = [variant_items.VERBS.state(variant_id=rows[part.index].pk, **part.values) for part in parts]
    put(variant_items.VERBS.put_inside, parts, links, of=ProductVariant, actor=actor, names=_NAMES)


def _own_items(rows: Mapping[int, ProductVariant], *, actor: Actor) -> list[Part]:
    by_sku = inventory_items.with_skus(row.sku for row in rows.values())
    new = {index: row for index, row in rows.items() if row.sku not in by_sku}
    details = [inventory_item_editing.VERBS.state(**inventory_items.details_of(row)) for row in new.values()]
    made = inventory_item_editing.VERBS.put_inside(actor=actor, states=details) if new else ()
    items = {index: one.row.pk for index, one in zip(new, made, strict=True)}
    items |= {index: by_sku[row.sku].pk for index, row in rows.items() if row.sku in by_sku}
    return [Part(index, "inventory_items", 0, {"inventory_item_id": item}) for index, item in items.items()]
