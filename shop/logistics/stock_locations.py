"""Stock locations with their addresses, as staff maintain them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import Q

from kit.domain.absent import ABSENT
from kit.editing.changes import Changes
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.uses import RowInUse
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
                if _put_address(edits, index, state.address, stored, addresses):
                    edits.note_change(index)
            except InvalidData as refusal:
                edits.refuse(index, "address", refusal)
    addresses.write()


def _put_address(
    edits: RowEdits[StockLocation],
    index: int,
    given: Mapping[str, object] | None,
    stored: Mapping[str, StockLocationAddress],
    addresses: Changes[StockLocationAddress],
) -> bool:
    """Returns whether the stored address changes."""
    row = edits.rows[index]
    address = stored.get(row.address_id or "")
    if given is None:
        edits.change(index, {"address_id": None})
        if address is not None:
            addresses.remove(address)
        return False
    values = {**given, **_checked_place(given, address)}
    if address is None:
        if any(values.values()):
            edits.change(index, {"address_id": addresses.make(**values).pk})
        return False
    return addresses.change(address, values)


def _checked_place(given: Mapping[str, object], stored: StockLocationAddress | None) -> dict[str, object]:
    """Country and province by their codes, as far as they are given. A new country has none of the old one's."""
    country, province = given.get("country_code", stored and stored.country_code), given.get("province")
    code = places.country(str(country), field="country_code") if country else None
    checked = {"country_code": code, "province": province and places.province(str(province), country_code=code)}
    has_moved = stored is not None and "country_code" in given and code != stored.country_code
    return {name: checked[name] or None for name in checked if name in given or has_moved}


_WITH_STOCK = ~Q(levels__stocked_quantity=0) | ~Q(levels__reserved_quantity=0) | ~Q(levels__incoming_quantity=0)
_USES = {
    "inventory levels with stock or reservations": _WITH_STOCK & Q(levels__isnull=False, levels__deleted_at=None),
    "fulfillment sets": Q(fulfillment_sets__isnull=False, fulfillment_sets__deleted_at=None),
}


def _require_empty(locations: Sequence[StockLocation]) -> None:
    """Raise RowInUse for a location that has goods, or ways of delivery. Past fulfillments may refer to it."""
    for users, condition in _USES.items():
        used = StockLocation.objects.filter(condition, pk__in=[row.pk for row in locations]).first()
        if used is not None:
            raise RowInUse(used, users)


VERBS = RowVerbs(
    StockLocation,
    ("name", "address", "sales_channels", "fulfillment_providers", "metadata"),
    extras=("address",),
    check=_put_addresses,
    delete=partial(delete_rows, check=_require_empty),
    restore=restore_rows,
)
"""address: the whole address, by column; None removes it."""
