"""Changing what is reserved for the lines of an order whose quantities change. Callers hold a transaction.

Why: docs/decisions/order-changes.md#lowered-units-empty-the-location-with-the-fewest.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.models import InventoryLevel, Reservation, VariantInventoryItem
from catalog.stock.stock_claims import LineClaim, claim_stock
from catalog.stock.stock_deduction import reduced
from kit.editing.reporting import Change, report
from kit.reads.sql.keyed_rows import KeyedRows
from kit.reads.sql.locked_instances import locked_rows
from kit.writes import raw_rows


@dataclass(frozen=True, slots=True)
class LineRelease:
    """units: to release, 1 or more. of: the units of the line for which pieces are reserved."""

    line_item_id: str
    units: int
    of: int


def change_claims(claims: Sequence[LineClaim], releases: Sequence[LineRelease], sales_channel_id: str) -> None:
    """Release the units of some lines, and claim those of others. What is released can be claimed at once.

    Raises StockTooLow, as `claim_stock` does. Eight statements at most, for any number of lines.
    """
    if releases:
        _release(releases, _locked_levels(claims, releases))
    if claims:
        claim_stock(claims, sales_channel_id)


def _locked_levels(claims: Iterable[LineClaim], releases: Iterable[LineRelease]) -> list[InventoryLevel]:
    """Lock the levels of all items of both at once, in the order of their ids. Three statements."""
    claimed = _ITEMS.read(sorted({claim.variant_id for claim in claims}))
    released = _RESERVED_ITEMS.read(sorted(release.line_item_id for release in releases))
    as_reserved = {item_id for claim in claims for item_id in claim.of_unit or ()}
    return _LEVELS.read(sorted({item_id for (item_id,) in (*claimed, *released)} | as_reserved))


def _release(releases: Sequence[LineRelease], levels: Iterable[InventoryLevel]) -> None:
    """Two statements. levels: locked, of all items of the lines."""
    by_item: dict[tuple[str, str], list[Reservation]] = defaultdict(list)
    for row in _RESERVATIONS.read(sorted(release.line_item_id for release in releases)):
        by_item[row.line_item_id or "", row.inventory_item_id].append(row)
    places = {(row.inventory_item_id, row.location_id) for rows in by_item.values() for row in rows}
    own = [level for level in levels if (level.inventory_item_id, level.location_id) in places]
    report(InventoryLevel, Change.UPDATED, own)
    wanted = {release.line_item_id: release for release in releases}
    rows: list[raw_rows.RawRow] = []
    for (line_id, _), reservations in by_item.items():
        release = wanted[line_id]
        pieces = sum(row.quantity for row in reservations) * release.units // release.of
        rows += reduced(sorted(reservations, key=lambda row: (row.quantity, row.pk)), pieces)
    raw_rows.update(Reservation, rows)


_ITEMS = KeyedRows(VariantInventoryItem.objects.all, key="variant_id", columns=("inventory_item_id",))
_RESERVED_ITEMS = KeyedRows(Reservation.objects.not_deleted, key="line_item_id", columns=("inventory_item_id",))
_LEVELS = locked_rows(InventoryLevel, InventoryLevel.objects.all, key="inventory_item_id")
_RESERVATIONS = locked_rows(Reservation, Reservation.objects.not_deleted, key="line_item_id")
