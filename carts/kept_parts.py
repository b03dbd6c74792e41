"""The rows that belong to lines and shipping methods of a cart: their taxes, and what promotions take off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from carts.held_rows import Held, held, write
from commerce.kit.core import raw_rows
from commerce.kit.core.database import Row
from commerce.kit.core.ids import new_id
from commerce.kit.projection.keyed_rows import KeyedRows

Key = tuple[Any, ...]
"""The ids of a part's owner and of what the part comes from."""
Wanted = Mapping[Key, Mapping[str, Any]]
"""What is to be there, by key: the columns that can change."""


@dataclass(frozen=True)
class Parts:
    """A kind of part. owner: the column of the row that it belongs to; source: of what it comes from.

    cart: the path from the part to its cart. columns: those that can change. fixed: the others, beside the key.
    """

    model: type[models.Model]
    prefix: str
    owner: str
    source: str
    cart: str
    columns: tuple[str, ...]
    fixed: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are read."""
        return ("id", self.owner, self.source, *self.columns)


def keep(parts: Parts, rows: KeyedRows[Row] | None, cart_id: str, wanted: Wanted) -> None:
    """Let the cart have the wanted parts and no others.

    rows: of what is stored, by cart; None where nothing can be. One statement to read, and one each for what is new,
    changed and gone.
    """
    stored = [held(parts.names, row) for row in rows.read([cart_id])] if rows else []
    gone: list[str] = []
    by_key: dict[Key, Held] = {}
    for one in stored:
        key = (one.values[parts.owner], one.values[parts.source])
        if key in wanted and key not in by_key:
            one.values.update(wanted[key])
            by_key[key] = one
        else:
            gone.append(one.values["id"])
    new = [_made(parts, key, values) for key, values in wanted.items() if key not in by_key]
    raw_rows.delete(parts.model, gone)
    write(parts.model, [*by_key.values(), *new])


def stored_rows(parts: Parts) -> KeyedRows[Row]:
    """The stored parts of carts."""
    return KeyedRows(parts.model._default_manager.all, key=parts.cart, columns=parts.names)


def _made(parts: Parts, key: Key, values: Mapping[str, Any]) -> Held:
    owner, source = key
    return Held({"id": new_id(parts.prefix), parts.owner: owner, parts.source: source, **values, **parts.fixed})


def by_source(owners: Sequence[Held], found: Sequence[Mapping[Any, Mapping[str, Any]]]) -> Wanted:
    """Parts by key, from those of each owner by source."""
    return {
        (owner.values["id"], source): values
        for owner, parts in zip(owners, found, strict=True)
        for source, values in parts.items()
    }
