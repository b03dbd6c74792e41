"""The errors of orders."""

from commerce.kit.core.missing_row import GuessMissed


class OrderNotFound(GuessMissed):
    """No order has that id, or the caller may not see it."""

    noun = "Order"
