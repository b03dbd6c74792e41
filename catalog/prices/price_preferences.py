"""Whether prices include tax: the flags of currencies and regions, as one list of price preferences.

Each currency that people pay with, and each region, has exactly one. Its id is the region's id, or the currency's code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.deletion import delete_rows
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData, NotFound
from kit.values.currencies import NOT_PAID_WITH
from shop import currency_editing
from shop.models import Currency, Region
from shop.regions import regions

Flagged = Currency | Region
_CODE = "currency_code"
TABLES: Mapping[str, RowVerbs[Any]] = {_CODE: currency_editing.VERBS, "region_id": regions.VERBS}
"""The verbs of what has a preference, by its attribute."""


def flagged_rows(*, with_deleted: bool = False) -> dict[str, tuple[str, Flagged]]:
    """The attribute and the row of each preference, by id. Two statements."""
    tables = {name: verbs.model._default_manager.exclude(pk__in=NOT_PAID_WITH) for name, verbs in TABLES.items()}
    chosen = {name: rows if with_deleted else rows.filter(deleted_at=None) for name, rows in tables.items()}
    return {row.pk: (name, row) for name, rows in chosen.items() for row in rows}


class PricePreferenceVerbs(RowVerbs[Any]):
    """The verbs of currencies and regions. A new preference sets the flag of its row, a deleted one resets it."""

    @property
    def noun(self) -> str:
        return "price preference"

    @property
    def nouns(self) -> str:
        return "price preferences"

    def delete(self, *, actor: Actor, ids: Sequence[str], version: datetime | None = None) -> None:
        """Reset the flags. Raises NotFound, VersionOutdated, Forbidden."""
        states = [self.state(id=key, version=version, is_tax_inclusive=False) for key in ids]
        try:
            self.put(actor=actor, states=states)
        except RowsRefused as refusal:
            raise refusal.faults[0].error from None


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Any]]:
    rows = flagged_rows()
    edited: dict[str, Edited[Any]] = {}
    if unknown := sorted({state.id for state in states if state.id is not None} - rows.keys()):
        raise NotFound(missing("Price preference", *unknown))
    keys = [
        state.id or (state.value.lower() if state.attribute == "currency_code" else state.value) for state in states
    ]
    faults = [
        Fault(index, "value", InvalidData(f"There is no {state.attribute} '{state.value}'"))
        for index, (key, state) in enumerate(zip(keys, states, strict=True))
        if state.id is None and rows.get(key, ("",))[0] != state.attribute
    ]
    if faults:
        raise RowsRefused(Region, faults)
    for attribute, verbs in TABLES.items():
        places = [index for index, key in enumerate(keys) if rows[key][0] == attribute]
        wanted = [
            verbs.state(id=keys[index], version=states[index].version, is_tax_inclusive=_flag(states[index]))
            for index in places
        ]
        try:
            edited |= {one.row.pk: one for one in (verbs.put(actor=actor, states=wanted) if wanted else ())}
        except RowsRefused as refusal:
            faults = [replace(fault, index=places[fault.index]) for fault in refusal.faults]
            raise RowsRefused(Region, faults) from None
    return [edited[key] for key in keys]


VERBS = PricePreferenceVerbs(
    Region,
    ("attribute", "value", "is_tax_inclusive"),
    extras=("attribute", "value"),
    put=_put,
    delete=delete_rows,  # see `delete` above
)


def _flag(state: Any) -> object:
    return False if state.id is None and state.is_tax_inclusive is ABSENT else state.is_tax_inclusive
