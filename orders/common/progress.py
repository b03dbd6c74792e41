"""The share of a line's total that some of its units make up."""

from decimal import Decimal

from kit.values.money import rounded


def share(placed_total: Decimal, *, units: int, quantity: int, currency_code: str) -> Decimal:
    """What `units` of a line are worth, rounded half-up. placed_total: of its whole quantity, as it was placed."""
    return rounded(placed_total * units / quantity, currency_code)
