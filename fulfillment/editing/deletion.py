"""Deleting and restoring fulfillment sets, service zones and shipping options, each with everything below it."""

from collections.abc import Mapping, Sequence

from fulfillment.models import FulfillmentSet, GeoZone, ServiceZone, ShippingOption, ShippingOptionRule
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.editing.deletion import Part, delete_rows, restore_rows
from kit.editing.locked_rows import locked_parents, require_parents

_PARTS: Mapping[type[BaseModel], Sequence[Part]] = {
    ShippingOption: [(ShippingOptionRule, "shipping_option")],
    ServiceZone: [
        (ShippingOption, "service_zone"),
        (ShippingOptionRule, "shipping_option__service_zone"),
        (GeoZone, "service_zone"),
    ],
    FulfillmentSet: [
        (ServiceZone, "fulfillment_set"),
        (ShippingOption, "service_zone__fulfillment_set"),
        (ShippingOptionRule, "shipping_option__service_zone__fulfillment_set"),
        (GeoZone, "service_zone__fulfillment_set"),
    ],
}
"""From the outermost to the innermost."""
_PARENTS: Mapping[type[BaseModel], tuple[type[BaseModel], str]] = {
    ShippingOption: (ServiceZone, "service_zone"),
    ServiceZone: (FulfillmentSet, "fulfillment_set"),
}
"""The table of what a row belongs to, and the field that names it."""


def delete(model: type[BaseModel], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete rows; their names become free. Prices stay: they are only read with options that are not deleted.

    Raises NotFound, Forbidden.
    """
    delete_rows(model, ids, actor=actor, parts=_PARTS[model])


def restore(model: type[BaseModel], ids: Sequence[str], *, actor: Actor) -> None:
    """Restore rows and what was deleted with them; what was deleted before stays deleted.

    Raises NotFound, NotDeleted, ParentDeleted, ValueTaken (the name of a row or a part), Forbidden.
    """
    parents: Sequence[BaseModel] = ()
    if model in _PARENTS:
        table, field = _PARENTS[model]
        parents = locked_parents(table, ids, field, of=model, actor=actor)
    restore_rows(model, ids, actor=actor, parts=_PARTS[model])
    require_parents(parents)
