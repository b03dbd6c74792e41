"""A discount of a line in the terms of its price, beside the amount before tax that an older version reads and writes.

Why: docs/decisions/carts.md#adjustments-stand-beside-those-of-an-older-version.
"""

from collections.abc import Sequence
from typing import NamedTuple

from carts.arithmetic.line_totals import LineTotals
from kit.values.rounding import split


class StoredAdjustment(NamedTuple):
    """The columns of an adjustment that say what it takes off; see carts.models.line_parts.StatedColumns.

    line_total: of its line; of an order's, as it was placed.
    """

    amount: int
    stated_amount: int | None
    is_tax_inclusive: bool | None
    beside_amount: int | None
    beside_total: int | None
    line_total: int

    @property
    def counts_as_stated(self) -> bool:
        """Whether its columns are those that this version wrote."""
        written = (self.beside_amount, self.beside_total)
        return self.stated_amount is not None and written == (self.amount, self.line_total)

    @property
    def shown_amount(self) -> int:
        """What it takes off its line: with tax if includes_tax."""
        return self.amount if not self.counts_as_stated or self.stated_amount is None else self.stated_amount

    @property
    def includes_tax(self) -> bool:
        return self.counts_as_stated and bool(self.is_tax_inclusive)


STORED_COLUMNS = StoredAdjustment._fields[:-1]
"""The columns of a StoredAdjustment, without the total of its line."""


def net_amounts(line: LineTotals, stated: Sequence[int], step: int) -> list[int]:
    """The discounts of a line before tax: parts of its discount_subtotal, by what they take off."""
    return split(line.discount_subtotal, stated, step)
