"""Creating and changing stock locations with their addresses, any number at once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.changes import Changes
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import places
from kit.values.metadata import Metadata
from shop.models import StockLocation, StockLocationAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationState(RowState):
    """The desired state of a location. address: the whole address, by column; None removes it."""

    name: str | Absent = ABSENT
    sales_channels: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT
    address: Mapping[str, str | None] | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[LocationState]) -> list[Edited[StockLocation]]:
    """Create and change locations: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(StockLocation, states, actor=actor)
    addresses = Changes(StockLocationAddress)
    held = [row.address_id for row in edits.rows if row.address_id]
    stored = StockLocationAddress.objects.in_bulk(held) if held else {}
    for index, state in enumerate(states):
        if state.address is not ABSENT:
            try:
                _put_address(edits, index, state.address, stored, addresses)
            except InvalidData as refusal:
                edits.refuse(index, "address", refusal)
    addresses.write()
    return edits.write()


def _put_address(
    edits: RowEdits[StockLocation],
    index: int,
    given: Mapping[str, object] | None,
    stored: Mapping[str, StockLocationAddress],
    addresses: Changes[StockLocationAddress],
) -> None:
    row = edits.rows[index]
    address = stored.get(row.address_id or "")
    if given is None:
        edits.change(index, {"address_id": None})
        if address is not None:
            addresses.remove(address)
        return
    values = {**given, **_checked_place(given)}
    if address is None:
        if any(values.values()):
            edits.change(index, {"address_id": addresses.make(**values).pk})
    elif addresses.change(address, values):
        edits.note_change(index)


def _checked_place(given: Mapping[str, object]) -> dict[str, object]:
    """Country and province by their codes, as far as they are given."""
    country, province = given.get("country_code"), given.get("province")
    code = places.country(str(country), field="country_code") if country else None
    checked = {"country_code": code, "province": province and places.province(str(province), country_code=code)}
    return {name: checked[name] or None for name in checked if name in given}


VERBS = RowVerbs(state=LocationState, put=put)
