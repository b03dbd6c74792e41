"""Creating and changing fulfillment sets, service zones and shipping options, any number at once."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

from django.db import transaction

from fulfillment.editing import deletion
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption, ShippingOptionType
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.changes import Changes
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState(RowState):
    """The desired state of a fulfillment set: a way of delivery, from one location."""

    name: str | Absent = ABSENT
    type: str | Absent = ABSENT
    location_id: str | Absent | None = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneState(RowState):
    """The desired state of a service zone.

    Its places are rows of their own (fulfillment/editing/geo_zone_editing.py).
    """

    name: str | Absent = ABSENT
    fulfillment_set_id: str | Absent = ABSENT
    replaces_wider: bool | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeTexts:
    """What customers can expect of an option."""

    label: str
    code: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionState(RowState):
    """The desired state of a shipping option. type: what customers can expect, or None; no other option shares it."""

    name: str | Absent = ABSENT
    price_type: str | Absent = ABSENT
    service_zone_id: str | Absent = ABSENT
    shipping_profile_id: str | Absent | None = ABSENT
    provider_id: str | Absent | None = ABSENT
    data: Metadata | Absent | None = ABSENT
    metadata: Metadata | Absent | None = ABSENT
    type: TypeTexts | Absent | None = ABSENT


@transaction.atomic
def put_sets(*, actor: Actor, states: Sequence[SetState]) -> list[Edited[FulfillmentSet]]:
    """Create and change sets: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(FulfillmentSet, states, actor=actor).write()


@transaction.atomic
def put_zones(*, actor: Actor, states: Sequence[ZoneState]) -> list[Edited[ServiceZone]]:
    """Create and change zones: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    lock_parents(FulfillmentSet, states, "fulfillment_set_id")
    return RowEdits(ServiceZone, states, actor=actor).write()


@transaction.atomic
def put_options(*, actor: Actor, states: Sequence[OptionState]) -> list[Edited[ShippingOption]]:
    """Create and change options: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
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


SETS, ZONES, OPTIONS = (
    RowVerbs(state=state, put=put, delete=partial(deletion.delete, model), restore=partial(deletion.restore, model))
    for model, state, put in (
        (FulfillmentSet, SetState, put_sets),
        (ServiceZone, ZoneState, put_zones),
        (ShippingOption, OptionState, put_options),
    )
)
