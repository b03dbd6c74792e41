"""What a list promises, and the rows that its filters are tried on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Model

from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from tests.factories.clock import at

FIRST_DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
DATED = "created_at updated_at"
RECORD = f"metadata {DATED} deleted_at"
RETURN = (
    f"id order_id display_id status order_version note requested_at received_at canceled_at metadata {DATED} deleted_at"
)
TOTALS = (
    "total subtotal tax_total discount_total discount_subtotal discount_tax_total original_total original_subtotal "
    "original_tax_total"
)
ITEM_AND_SHIPPING_TOTALS = (
    "item_total item_subtotal item_tax_total original_item_total original_item_subtotal original_item_tax_total "
    "shipping_total shipping_subtotal shipping_tax_total original_shipping_total original_shipping_subtotal "
    "original_shipping_tax_total"
)
Rows = Mapping[str, Model | str]
"""By name; a text stands for itself."""


@dataclass(frozen=True)
class Filtering:
    """A list's filters.

    make: the rows; `one` is what most queries find, and `other` what they do not. `above` is what the path names.
    cases: by filter, the query that finds `one` alone, in which `{name}` stands for the key of the row of that name;
        or the query, and the names of the rows that it finds.
    base: what every query needs beside.
    """

    make: Callable[[], Rows]
    cases: Mapping[str, str | tuple[str, str]]
    base: str = ""


@dataclass(frozen=True)
class Contract:
    """A resource's own fields; those that nothing is sorted by, and the relations whose fields it is sorted by too.

    in_context: what else it is sorted by, for requests that name its price circumstances.
    """

    fields: str
    unsorted: str = ""
    through: Mapping[str, ResourceSerializerClass] = field(default_factory=dict)
    in_context: str = ""


def days_apart(**makers: Callable[[], Model]) -> dict[str, Model]:
    """The rows, each made a day after the one before it."""
    made = {}
    for day, (name, make) in enumerate(makers.items()):
        with at(FIRST_DAY + timedelta(days=day)):
            made[name] = make()
    return made


DATES = {
    "created_at": "created_at[$lt]=2026-03-02",
    "updated_at": "updated_at[$lt]=2026-03-02",
    "deleted_at": ("with_deleted=true&deleted_at[$gt]=1970-01-01", "gone"),
}
ID_AND_DATES = {"id": "id={one}", **DATES}


def named(factory: Any, column: str, **more: Any) -> Callable[[], Rows]:
    """Three rows of a factory: Oak, Pine, and Elm that is deleted. more: what is added to the first."""
    return lambda: days_apart(
        one=lambda: factory(**{column: "Oak", **more}),
        other=lambda: factory(**{column: "Pine"}),
        gone=lambda: factory(**{column: "Elm", "deleted_at": now()}),
    )


NONE_DELETED = ("with_deleted=true&deleted_at[$gt]=1970-01-01", "")
