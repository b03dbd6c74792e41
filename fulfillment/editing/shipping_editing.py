"""Fulfillment sets, service zones and shipping options, as staff maintain them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from catalog.models import PriceSet
from catalog.prices.price_editing import PRICES
from fulfillment.editing import deletion, geo_zone_editing, option_rule_editing
from fulfillment.editing.option_prices import replace_option_prices
from fulfillment.editing.option_types import OptionTypes
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.batches import Batch, write_batch
from kit.editing.changes import Changes
from kit.editing.locked_rows import lock_parents, locked
from kit.editing.nested_rows import NestedRows
from kit.editing.parts import Parts, PartWriter
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from shop.models import StockLocation

PLACES = Parts("geo_zones", geo_zone_editing.VERBS, "service_zone_id")
RULES = Parts("rules", option_rule_editing.VERBS, "shipping_option_id")
_RULES_OF_OPTION = NestedRows(RULES.verbs, RULES.parent)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeTexts:
    """What customers can expect of an option."""

    label: str
    code: str
    description: str = ""


def _put_zones(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ServiceZone]]:
    lock_parents(FulfillmentSet, states, "fulfillment_set_id")
    writer = PartWriter(RowEdits(ServiceZone, states, actor=actor).write(), states, actor=PLACES.trusted(actor))
    writer.replace(PLACES, writer.parts(PLACES), writer.stored(PLACES))
    return writer.edited


def _put_options(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ShippingOption]]:
    lock_parents(ServiceZone, states, "service_zone_id")
    edits = RowEdits(ShippingOption, states, actor=actor)
    types, price_sets = OptionTypes(edits.rows), Changes(PriceSet)
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        if state.type is not ABSENT:
            _put_type(edits, index, state, types)
        if state.prices is not ABSENT and not row.price_set_id:
            edits.change(index, {"price_set_id": price_sets.make().pk})
    types.write()
    price_sets.write()
    writer = PartWriter(edits.write(), states, actor=PRICES.trusted(RULES.trusted(actor)))
    replace_option_prices(writer)
    writer.replace(RULES, writer.parts(RULES), writer.stored(RULES))
    return writer.edited


def _put_type(edits: RowEdits[ShippingOption], index: int, state: Any, types: OptionTypes) -> None:
    texts: TypeTexts | None = state.type
    if texts is not None and not (texts.label.strip() and texts.code.strip()):
        edits.refuse(index, "type", InvalidData("A type needs a label and a code."))
    elif state.type_id is not ABSENT:
        edits.refuse(index, "type_id", InvalidData("Give the option either a 'type' or a 'type_id'"))
    else:
        type_id, is_changed = types.put(edits.rows[index].type_id, asdict(texts) if texts else None)
        edits.change(index, {"type_id": type_id})
        if is_changed:
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
    ("name", "fulfillment_set_id", "replaces_wider", "geo_zones", "metadata"),
    extras=("geo_zones",),
    put=_put_zones,
    delete=deletion.delete,
    restore=deletion.restore,
)
"""geo_zones: all places of the zone, each as its own verbs take it (fulfillment/editing/geo_zone_editing.py)."""
OPTIONS = RowVerbs(
    ShippingOption,
    (
        *("name", "price_type", "service_zone_id", "shipping_profile_id", "provider_id"),
        *("data", "metadata", "type_id", "type", "prices", "rules"),
    ),
    extras=("type", "prices", "rules"),
    put=_put_options,
    delete=deletion.delete,
    restore=deletion.restore,
)
"""type: TypeTexts, or None. prices, rules: all of the option (option_prices.py, option_rule_editing.py)."""


@transaction.atomic
def create_set(*, actor: Actor, id: str, **values: object) -> FulfillmentSet:
    """Create a fulfillment set of the location with that id. Raises NotFound, InvalidData, ValueTaken, Forbidden."""
    locked(StockLocation, [id])
    return SETS.create(actor=actor, location_id=id, **values)


@transaction.atomic
def change_rules(
    *,
    actor: Actor,
    id: str,
    create: Sequence[Mapping[str, Any]] = (),
    update: Sequence[Mapping[str, Any]] = (),
    delete: Sequence[str] = (),
) -> Batch:
    """Create, change and delete rules of the option with that id. Raises NotFound, InvalidData, Forbidden."""
    actor.require("fulfillment.change_shippingoption")
    locked(ShippingOption, [id])
    changes = _RULES_OF_OPTION.batch(id, create=create, update=update, delete=delete)
    return write_batch(RULES.verbs, actor=RULES.trusted(actor), **changes)
