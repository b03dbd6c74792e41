"""The share of a line's total that some of its units make up."""

from decimal import Decimal

from commerce.kit.core.money import rounded


def share(total: Decimal, *, units: int, kept: int, currency_code: str) -> Decimal:
    """What `units` of a line are worth, rounded half-up. total: of its `kept` units, those that were not returned."""
    return rounded(total * units / kept, currency_code) if units and kept else Decimal(0)
