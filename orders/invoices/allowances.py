"""What refunds beyond what was owed take off each block of an order. No database; amounts are in 1/10,000.

Why: docs/decisions/invoices.md#allowances-stay-where-they-were-documented.
"""

from collections.abc import Mapping

from kit.values.rounding import split
from orders.invoices.entries import Block
from orders.states import TaxCategory

Amounts = Mapping[Block, int]


def spread(allowance: int, *, documented: Amounts, worth: Amounts, lowered: Amounts, voided: int, step: int) -> Amounts:
    """The part of the allowance that each block has, at most what it is worth.

    documented: of earlier refunds, which stay where they are. lowered: what this document takes back of goods, whose
    refunds come back first. voided: what the bought gift cards were worth that are canceled, which are refunded first;
    others are refunded last.
    """
    parts = {block: min(documented.get(block, 0), worth[block]) for block in worth}
    excess = sum(parts.values()) - allowance
    if excess > 0:
        back = {block: min(part, lowered.get(block, 0)) for block, part in parts.items()}
        _move(parts, -1, excess, (back, parts), step)
    elif excess < 0:
        left = {block: worth[block] - part for block, part in parts.items()}
        cards = {block: room for block, room in left.items() if block[0] == TaxCategory.OUTSIDE_SCOPE}
        canceled = {block: min(room, max(voided - parts[block], 0)) for block, room in cards.items()}
        _move(parts, 1, -excess, (canceled, {**left, **dict.fromkeys(cards, 0)}, cards), step)
    return parts


def _move(parts: dict[Block, int], sign: int, amount: int, rooms: tuple[Amounts, ...], step: int) -> None:
    """Add the amount, or subtract it: as far as the first rooms reach, then the next. What no room has is left out."""
    moved: dict[Block, int] = {}
    for room in rooms:
        free = {block: size - moved.get(block, 0) for block, size in room.items()}
        free = {block: size for block, size in free.items() if size > 0}
        share = min(amount, sum(free.values()))
        for block, part in zip(free, split(share, list(free.values()), step), strict=True):
            moved[block] = moved.get(block, 0) + part
        amount -= share
    for block, part in moved.items():
        parts[block] += sign * part
