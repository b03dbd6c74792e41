"""Checking the stock for the lines of a cart. Nothing is reserved before the cart is completed.

Why: docs/decisions/carts.md#stock-is-checked-for-all-lines-together.
"""

from collections import Counter
from collections.abc import Sequence

from carts.errors import LinesOutOfStock
from carts.pricing.cart_rows import LineRow
from carts.pricing.line_titles import line_titles
from catalog.stock.availability import stocked_items


def check_stock(grown: Sequence[LineRow], lines: Sequence[LineRow], sales_channel_id: str) -> None:
    """Raise LinesOutOfStock with the grown lines that are short. One statement; see `short_lines`."""
    if short := short_lines(grown, lines, sales_channel_id):
        raise LinesOutOfStock(line_titles(short))


def short_lines(grown: Sequence[LineRow], lines: Sequence[LineRow], sales_channel_id: str) -> list[LineRow]:
    """The grown lines whose items the channel has too few of, for all lines together.

    Lines of the same variant count together, and so do kits with the same item; variants with backorder are not
    checked. One statement; none if the stock of no grown line is limited.
    """
    limited = {variant_id for line in grown if (variant_id := _limited_variant(line))}
    if not limited:
        return []
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
    return [line for line in grown if line.variant_id in refused]


def _limited_variant(line: LineRow) -> str | None:
    """The id of the line's variant where its stock limits what can be sold."""
    return line.variant_id if line.manage_inventory and not line.allow_backorder else None
