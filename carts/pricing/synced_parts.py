"""The rows that belong to lines and shipping methods of a cart: tax lines and adjustments."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from django.db import models

from kit.database.raw_sql import Row
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows
from kit.writes.raw_rows import RawRow


class TaxPart(NamedTuple):
    """A tax: what shop.taxes.ApplicableTax says of it, and its totals (carts.arithmetic.line_totals.TaxLineTotals)."""

    rate: int
    code: str
    tax_rate_id: str | None
    description: str | None
    provider_id: str
    total: int
    subtotal: int


class AdjustmentPart(NamedTuple):
    """What can change of an adjustment: what a promotion takes off its line, and its code.

    The amounts: see carts.models.line_parts.StatedColumns.
    """

    amount: int
    code: str
    stated_amount: int
    is_tax_inclusive: bool
    beside_amount: int
    beside_total: int


class MethodAdjustmentPart(NamedTuple):
    """The same of a shipping method, of which older versions know no discounts."""

    amount: int
    code: str
    is_tax_inclusive: bool


Part = TypeVar("Part", TaxPart, AdjustmentPart, MethodAdjustmentPart)
Key: TypeAlias = tuple[str, str]
"""The id of the owner, and the source: the id of a promotion; of a tax, its place among those of its owner."""


@dataclass(frozen=True)
class Parts(Generic[Part]):
    """A kind of part. owner: the column of the line or method that it belongs to. source: that of the promotion.

    source is None for taxes: those of an owner are in the order of their ids.
    cart: the path from the part to its cart. columns: those that can change. constants: the others, beside the key.
    """

    model: type[models.Model]
    prefix: str
    owner: str
    source: str | None
    cart: str
    columns: tuple[str, ...]
    constants: RawRow


def sync(parts: Parts[Part], rows: KeyedRows[Row] | None, cart_id: str, wanted: Mapping[Key, Part]) -> None:
    """Make the cart's stored parts equal to the wanted ones.

    rows: the stored ones, by cart; None if there are none. One statement to read, and one each to insert, update and
    delete.
    """
    kept: set[Key] = set()
    places: Counter[str] = Counter()
    deleted, changed, moment = list[str](), list[RawRow](), now()
    for part_id, owner_id, *values in sorted(rows.read([cart_id])) if rows else ():
        key = (owner_id, values.pop(0) if parts.source else str(places[owner_id]))
        places[owner_id] += 1
        if key not in wanted or key in kept:
            deleted.append(part_id)
            continue
        kept.add(key)
        if wanted[key] != (*values,):
            changed.append({"id": part_id, **wanted[key]._asdict(), "updated_at": moment})
    dates = {"created_at": moment, "updated_at": moment, "deleted_at": None}
    raw_rows.delete(parts.model, deleted)
    raw_rows.insert(
        parts.model,
        [
            {"id": new_id(parts.prefix), parts.owner: owner_id, **part._asdict()}
            | ({parts.source: source} if parts.source else {})
            | {**parts.constants, **dates}
            for (owner_id, source), part in wanted.items()
            if (owner_id, source) not in kept
        ],
    )
    raw_rows.update(parts.model, changed)


def stored_rows(parts: Parts[Part]) -> KeyedRows[Row]:
    """The stored parts of carts: id, owner and source (none of taxes) of each, then what can change."""
    sources: tuple[str, ...] = (parts.source,) if parts.source else ()
    columns = ("id", parts.owner, *sources, *parts.columns)
    return KeyedRows(parts.model._default_manager.all, key=parts.cart, columns=columns)
