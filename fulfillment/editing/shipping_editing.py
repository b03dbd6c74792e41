"""Fulfillment sets, service zones and shipping options, as staff maintain them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from fulfillment.editing import deletion
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption, ShippingOptionType
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.changes import Changes
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeTexts:
    """What customers can expect of an option."""

    label: str
    code: str
    description: str = ""


def _put_options(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ShippingOption]]:
    lock_parents(ServiceZone, states, "service_zone_id")
    edits = RowEdits(ShippingOption, states, actor=actor)
    types = Changes(ShippingOptionType)
    held = [row.type_id for row in edits.rows if row.type_id]
    stored = ShippingOptionType.objects.in_bulk(held) if held else {}
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        if state.type is not ABSENT:
            _put_type(edits, index, state.type, stored.get(row.type_id or ""), types)
    edited = edits.write()
    types.write()
    return edited


def _put_type(
    edits: RowEdits[ShippingOption],
    index: int,
    texts: TypeTexts | None,
    stored: ShippingOptionType | None,
    types: Changes[ShippingOptionType],
) -> None:
    if texts is None:
        edits.change(index, {"type_id": None})
        if stored is not None:
            types.remove(stored)
    elif not (texts.label.strip() and texts.code.strip()):
        edits.refuse(index, "type", InvalidData("A type needs a label and a code."))
    elif stored is None:
        edits.change(index, {"type_id": types.make(**asdict(texts)).pk})
    elif types.change(stored, asdict(texts)):
        edits.note_change(index)


SETS = RowVerbs(
    FulfillmentSet,
    ("name", "type", "location_id", "metadata"),
    delete=deletion.delete,
    restore=deletion.restore,
)
"""A set is a way of delivery, from one location."""
ZONES = RowVerbs(
    ServiceZone,
    ("name", "fulfillment_set_id", "replaces_wider", "metadata"),
    lock=partial(lock_parents, FulfillmentSet, field="fulfillment_set_id"),
    delete=deletion.delete,
    restore=deletion.restore,
)
"""The places of a zone are rows of their own (fulfillment/editing/geo_zone_editing.py)."""
OPTIONS = RowVerbs(
    ShippingOption,
    (
        *("name", "price_type", "service_zone_id", "shipping_profile_id", "provider_id"),
        *("data", "metadata", "type"),
    ),
    extras=("type",),
    put=_put_options,
    delete=deletion.delete,
    restore=deletion.restore,
)
"""type: TypeTexts, or None; no other option shares it."""
