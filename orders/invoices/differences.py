"""The documents that bring what is documented of an order to what it is worth. No database.

Why: docs/decisions/invoices.md#documents-follow-the-value-of-an-order.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from carts.arithmetic.tax_arithmetic import taxes_in
from orders.invoices.allowances import Amounts, spread
from orders.invoices.entries import Block, Entry, Key, Tax, is_worthless, sums
from orders.states import InvoiceLineKind

REFUND_TITLE = "Refund"


class Worth(NamedTuple):
    """What an order is worth: its entries, without what is refunded beyond what was owed, the allowance.

    voided: what the bought gift cards were worth that are canceled. step: of the currency (kit.values.money.step).
    """

    entries: Sequence[Entry]
    allowance: int
    voided: int
    step: int


class Missing(NamedTuple):
    """The lines of the credit note and of the invoice that are missing; none where there is nothing to write."""

    credited: Sequence[Entry]
    invoiced: Sequence[Entry]


def missing(worth: Worth, documented: Mapping[Key, Entry]) -> Missing:
    """documented: the sums of the lines of the order's documents; credit notes count negatively."""
    if not documented:
        return Missing((), whole(worth, documented))
    now = {entry.key: entry for entry in worth.entries}
    credited, invoiced = [], []
    for key in [*now, *(key for key in documented if key not in now and not _is_refund(key))]:
        less, more = _changed(now.get(key), documented.get(key), worth.step)
        credited += less
        invoiced += more
    lowered = _totals(credited)
    for refund in _refunds(worth, documented, lowered):
        is_offset = refund.total >= 0 or lowered.get(refund.block, 0) >= -refund.total
        (credited if is_offset else invoiced).append(refund if is_offset else -refund)
    return Missing(*(() if is_worthless(lines) else lines for lines in (credited, invoiced)))


def whole(worth: Worth, documented: Mapping[Key, Entry]) -> Sequence[Entry]:
    """The lines of one invoice of all that the order is worth. documented: what says where its refunds are."""
    parts = _spread(worth, documented, {})
    refunds = [_refund(block, amount, worth, documented) for block, amount in parts.items() if amount]
    return [*worth.entries, *(-refund for refund in refunds)]


def taken_back(documented: Mapping[Key, Entry], step: int) -> Sequence[Entry]:
    """The lines of one credit note of all that is documented."""
    return [entry.priced(entry.unit_price, step) for entry in documented.values() if not entry.is_nothing]


def _changed(now: Entry | None, before: Entry | None, step: int) -> tuple[list[Entry], list[Entry]]:
    """The lines to credit and to invoice for one that was documented before.

    Units that came or went are one line, as is a changed price. Where units and price have both changed, the line is
    credited as it was and invoiced again.
    """
    if before is None or before.is_nothing:
        return [], [] if now is None else [now]
    if now is None:
        return [before.priced(before.unit_price, step)], []
    change = now - before
    if change.is_nothing:
        return [], []
    is_less = (change.quantity, change.total) < (0, 0)
    moved = -change if is_less else change
    is_one_way = min(moved.quantity, moved.subtotal, moved.tax_total) >= 0
    is_same_price = now.unit_price == before.unit_price and moved.quantity * now.unit_price >= moved.stated
    if is_one_way and (is_same_price or not moved.quantity):
        line = [moved.priced(now.unit_price, step)]
        return (line, []) if is_less else ([], line)
    return [before.priced(before.unit_price, step)], [now]


def _refunds(worth: Worth, documented: Mapping[Key, Entry], lowered: Amounts) -> Iterator[Entry]:
    """The refunds to credit; negative ones are those that goods have come back for since."""
    known = _refunded(documented)
    parts = _spread(worth, documented, lowered)
    for block in dict.fromkeys((*parts, *known)):
        amount = parts.get(block, 0) - known.get(block, 0)
        if amount and not parts.get(block):
            yield documented[InvoiceLineKind.REFUND, None, *block]
        elif amount:
            yield _refund(block, amount, worth, documented)


def _spread(worth: Worth, documented: Mapping[Key, Entry], lowered: Amounts) -> Amounts:
    return spread(
        worth.allowance,
        documented=_refunded(documented),
        worth=_totals(worth.entries),
        lowered=lowered,
        voided=worth.voided,
        step=worth.step,
    )


def _refund(block: Block, amount: int, worth: Worth, documented: Mapping[Key, Entry]) -> Entry:
    """A refund of so much of a block; its tax is taken out as of a price with tax."""
    like = next(entry for entry in (*worth.entries, *documented.values()) if entry.block == block)
    sign = -1 if amount < 0 else 1
    taxes = taxes_in(abs(amount), [tax.rate for tax in like.taxes], worth.step)
    own: tuple[Tax, ...] = tuple(tax._replace(amount=sign * part) for tax, part in zip(like.taxes, taxes, strict=True))
    kind, net = InvoiceLineKind.REFUND, amount - sign * sum(taxes)
    return Entry(kind, None, REFUND_TITLE, None, None, sign, abs(amount), True, like.category, own, net)


def _refunded(documented: Mapping[Key, Entry]) -> Amounts:
    return {entry.block: -entry.total for key, entry in documented.items() if _is_refund(key)}


def _totals(entries: Sequence[Entry]) -> Amounts:
    return {block: total for block, (_, total) in sums(entries).items()}


def _is_refund(key: Key) -> bool:
    return key[0] == InvoiceLineKind.REFUND
