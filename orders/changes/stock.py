"""The stock of a change: raised and added units are claimed, lowered and removed ones released."""

from carts.errors import LinesOutOfStock
from catalog.stock.claim_changes import LineRelease, change_claims
from catalog.stock.errors import StockTooLow
from catalog.stock.stock_claims import LineClaim
from orders.changes.order_rows import PlacedOrder
from orders.fulfillments.locked_lines import LockedLines


def change_stock(before: PlacedOrder, after: LockedLines) -> None:
    """Reserve and release what the lines need more or less than before. At most eight statements.

    Raises LinesOutOfStock, naming the lines.
    """
    placed, claims, releases = {line.id: line for line in before.lines}, [], []
    for line in after.lines.values():
        own = placed.get(line.id)
        units = line.quantity - (own.plain.quantity if own else 0)
        if units > 0:
            claims.append(LineClaim(line.id, str(line.variant_id), units))
        elif units < 0:
            releases.append(LineRelease(line.id, -units, line.remaining - units))
    gone = [line for line in before.lines if line.id not in after.lines]
    releases += [LineRelease(line.id, line.plain.quantity, line.plain.quantity) for line in gone]
    try:
        change_claims(claims, releases, after.row.sales_channel_id)
    except StockTooLow as error:
        raise LinesOutOfStock(after.lines[line_id].name for line_id in error.line_item_ids) from error
