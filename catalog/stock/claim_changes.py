"""Changing what is reserved for the lines of an order whose quantities change. Callers hold a transaction.

Why: docs/decisions/order-changes.md#lowered-units-empty-the-location-with-the-fewest.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from catalog.models import InventoryLevel, Reservation, VariantInventoryItem
from catalog.stock.stock_claims import LineClaim, claim_stock
from catalog.stock.stock_deduction import reduced
from kit.database.locking import lock_rows
from kit.editing.reporting import Change, report
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

    Raises StockTooLow, as `claim_stock` does. Seven statements at most, for any number of lines.
    """
    if claims and releases:
        _lock_all(claims, releases, sales_channel_id)
    _release(releases)
    if claims:
        claim_stock(claims, sales_channel_id)


def _lock_all(claims: Iterable[LineClaim], releases: Iterable[LineRelease], sales_channel_id: str) -> None:
    """Lock the levels of both at once, in the order of their ids."""
    variants = {claim.variant_id for claim in claims}
    claimed = VariantInventoryItem.objects.filter(variant__in=variants, inventory_item=OuterRef("inventory_item"))
    items = {item_id for claim in claims for item_id in claim.of_unit or ()}
    channel = InventoryLevel.objects.filter(pk=OuterRef("pk"), location__sales_channels=sales_channel_id)
    is_claimed = Q(Exists(claimed)) | Q(inventory_item__in=items)
    lock_rows(InventoryLevel.objects.filter(Q(_reserving(releases)) | (is_claimed & Q(Exists(channel)))))


def _reserving(releases: Iterable[LineRelease]) -> Exists:
    line_ids = {release.line_item_id for release in releases}
    return Exists(
        Reservation.objects.filter(
            line_item_id__in=line_ids,
            deleted_at=None,
            inventory_item=OuterRef("inventory_item"),
            location=OuterRef("location"),
        )
    )


def _release(releases: Sequence[LineRelease]) -> None:
    """Three statements, none without releases."""
    if not releases:
        return
    report(InventoryLevel, Change.UPDATED, lock_rows(InventoryLevel.objects.filter(_reserving(releases))))
    by_item: dict[tuple[str, str], list[Reservation]] = defaultdict(list)
    for row in _RESERVATIONS.read(sorted(release.line_item_id for release in releases)):
        by_item[row.line_item_id or "", row.inventory_item_id].append(row)
    wanted = {release.line_item_id: release for release in releases}
    rows: list[raw_rows.RawRow] = []
    for (line_id, _), reservations in by_item.items():
        release = wanted[line_id]
        pieces = sum(row.quantity for row in reservations) * release.units // release.of
        rows += reduced(sorted(reservations, key=lambda row: (row.quantity, row.pk)), pieces)
    raw_rows.update(Reservation, rows)


_RESERVATIONS = locked_rows(Reservation, Reservation.objects.not_deleted, key="line_item_id")
