"""The stock of a change: raised and added units are claimed, lowered and removed ones released."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from carts.errors import LinesOutOfStock
from catalog.stock.claim_changes import LineRelease, change_claims
from catalog.stock.errors import StockTooLow
from catalog.stock.stock_claims import LineClaim
from orders.changes.order_rows import PlacedOrder
from orders.fulfillments.locked_lines import LockedLines
from orders.fulfillments.stock import reserved_for


def change_stock(before: PlacedOrder, after: LockedLines) -> None:
    """Reserve and release what the lines need more or less than before. At most eight statements.

    A raised line needs of each further unit what is reserved of its others: the catalogue may have changed. Where
    nothing is, since the variant had no inventory when it was ordered, all of its unfulfilled units are reserved.
    Raises LinesOutOfStock, naming the lines.
    """
    placed, claims, releases = {line.id: line for line in before.lines}, [], []
    pieces = _pieces_of_raised(before, after)
    for line in after.lines.values():
        own = placed.get(line.id)
        units = line.quantity - (own.plain.quantity if own else 0)
        if units > 0 and line.variant_id is not None:
            of_unit = pieces.get(line.id)
            claims.append(LineClaim(line.id, line.variant_id, units if of_unit else line.remaining, of_unit))
        elif units < 0:
            releases.append(LineRelease(line.id, -units, line.remaining - units))
    gone = [line for line in before.lines if line.id not in after.lines]
    releases += [LineRelease(line.id, line.plain.quantity, line.plain.quantity) for line in gone]
    try:
        change_claims(claims, releases, after.row.sales_channel_id)
    except StockTooLow as error:
        raise LinesOutOfStock(after.lines[line_id].name for line_id in error.line_item_ids) from error


def _pieces_of_raised(before: PlacedOrder, after: LockedLines) -> Mapping[str, Mapping[str, int]]:
    """What is reserved for one unit of each raised line, by item. At most one statement."""
    left = {
        line.id: line.plain.quantity - line.fulfilled_quantity
        for line in before.lines
        if line.id in after.lines and line.plain.quantity < after.lines[line.id].quantity
    }
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in reserved_for([line_id for line_id, units in left.items() if units]):
        sums[row.line_item_id][row.inventory_item_id] += row.quantity
    return {
        line_id: {item_id: max(pieces // left[line_id], 1) for item_id, pieces in items.items()}
        for line_id, items in sums.items()
    }
