"""Stock locations with their addresses, as staff maintain them."""

from collections.abc import Mapping, Sequence
from typing import Any

from kit.domain.absent import ABSENT
from kit.editing.changes import Changes
from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import places
from shop.models import StockLocation, StockLocationAddress


def _put_addresses(edits: RowEdits[StockLocation], states: Sequence[Any]) -> None:
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


VERBS = RowVerbs(
    StockLocation, ("name", "address", "sales_channels", "metadata"), extras=("address",), check=_put_addresses
)
"""address: the whole address, by column; None removes it."""
