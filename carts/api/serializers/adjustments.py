"""What an adjustment takes off its line, in the terms of the line's price."""

from rest_framework import serializers

from carts.arithmetic.adjustments import STORED_COLUMNS, StoredAdjustment
from kit.reads.declarations.computed import MoneyValue, RowField


def stated_amount(line_total: str) -> RowField:
    """The field `amount`. line_total: the path to the line's total; of an order, to its placed one."""
    return RowField(
        MoneyValue(),
        columns=(*STORED_COLUMNS, line_total),
        compute=lambda *row: StoredAdjustment(*row).shown_amount,
        help_text="What is taken off the line, with tax if is_tax_inclusive.",
    )


def includes_tax(line_total: str) -> RowField:
    """The field `is_tax_inclusive`."""
    return RowField(
        serializers.BooleanField(),
        columns=(*STORED_COLUMNS, line_total),
        compute=lambda *row: StoredAdjustment(*row).includes_tax,
        help_text="Whether amount includes tax, as the line's price does; false in orders of older versions.",
    )
