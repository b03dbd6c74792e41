"""Checking the stock for the lines of a cart. Nothing is reserved before the cart is completed.

Why: docs/decisions/carts.md#stock-is-checked-for-all-lines-together.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from carts.errors import LinesOutOfStock
from carts.pricing.cart_rows import LineRow
from carts.pricing.line_titles import line_titles
from catalog.stock.availability import StockedItem, stocked_items


def check_stock(grown: Sequence[LineRow], lines: Sequence[LineRow], sales_channel_id: str) -> None:
    """Raise LinesOutOfStock with the grown lines whose items the channel has too few of, for all lines together.

    Lines of the same variant count together, and so do kits with the same item; variants with backorder are not
    checked. One statement; none if the stock of no grown line is limited.
    """
    limited = {variant_id for line in grown if (variant_id := _limited_variant(line))}
    if not limited:
        return
    pieces = Counter[str]()
    for line in lines:
        if variant_id := _limited_variant(line):
            pieces[variant_id] += line.quantity
    taken = stocked_items(sorted(pieces), sales_channel_id)
    demanded = Counter[str]()
    for variant_id, item_id, required, _ in taken:
        demanded[item_id] += pieces[variant_id] * required
    short = {item.variant_id for item in taken if demanded[item.inventory_item_id] > item.available}
    without_items = limited - {item.variant_id for item in taken}
    refused = (short & limited) | without_items
    if refused:
        raise LinesOutOfStock(line_titles([line for line in grown if line.variant_id in refused]))


def lines_beyond_stock(lines: Sequence[LineRow], sales_channel_id: str) -> list[LineRow]:
    """The lines for which too little is left once those before them have taken theirs. One statement at most."""
    variant_ids = {variant_id for line in lines if (variant_id := _limited_variant(line))}
    if not variant_ids:
        return []
    items = defaultdict[str, list[StockedItem]](list)
    for item in stocked_items(sorted(variant_ids), sales_channel_id):
        items[item.variant_id].append(item)
    left = {item.inventory_item_id: item.available for each in items.values() for item in each}
    beyond = []
    for line in lines:
        if (variant_id := _limited_variant(line)) is None:
            continue
        needed = {item.inventory_item_id: item.required_quantity * line.quantity for item in items[variant_id]}
        if needed and all(left[item_id] >= pieces for item_id, pieces in needed.items()):
            for item_id, pieces in needed.items():
                left[item_id] -= pieces
        else:
            beyond.append(line)
    return beyond


def _limited_variant(line: LineRow) -> str | None:
    """The id of the line's variant where its stock limits what can be sold."""
    return line.variant_id if line.manage_inventory and not line.allow_backorder else None
