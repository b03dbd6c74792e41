"""The error of links to an order."""

from kit.domain.missing_row import GuessMissed


class OrderLookupNotFound(GuessMissed):
    """The token is wrong, was used or has expired, or its order is no longer shown to guests."""

    noun = "Order lookup"
