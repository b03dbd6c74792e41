"""Whether there is enough in stock for the lines of a cart. Nothing is reserved before the cart is completed.

Source: behaviour.md 0.20 and section 9, item 39.
"""

from collections import Counter
from collections.abc import Sequence

from carts.errors import VariantsOutOfStock
from carts.held_rows import Held
from catalog.stock import stocked_items


def check_stock(grown: Sequence[Held], lines: Sequence[Held], sales_channel_id: str) -> None:
    """Refuse the lines that have grown where all lines together take more of an item than the channel can sell.

    Two lines of a variant count together, and so do kits that take the same item; what may be sold beyond its stock
    needs none. One statement, and none where no line that has grown is limited. Raises VariantsOutOfStock.
    """
    limited = {line.values["variant_id"] for line in grown if _is_limited(line)}
    if not limited:
        return
    managed = [line for line in lines if _is_limited(line)]
    taken = stocked_items(sorted({line.values["variant_id"] for line in managed}), sales_channel_id)
    pieces = Counter[str]()
    for line in managed:
        pieces[line.values["variant_id"]] += line.values["quantity"]
    demanded = Counter[str]()
    for variant_id, item_id, required, _ in taken:
        demanded[item_id] += pieces[variant_id] * required
    short = {item.variant_id for item in taken if demanded[item.inventory_item_id] > item.available}
    without_items = limited - {item.variant_id for item in taken}
    refused = (short & limited) | without_items
    if refused:
        raise VariantsOutOfStock(refused)


def _is_limited(line: Held) -> bool:
    return bool(line.facts["manage_inventory"]) and not line.facts["allow_backorder"]
