"""The errors of managing orders. Messages are Medusa's where it has them."""

from collections.abc import Iterable

from kit.errors import InvalidData, NotAllowed


class CannotCancelCompleted(NotAllowed):
    """A completed order cannot be canceled; its goods can be returned."""

    message = "Cannot cancel a completed order. Please use the return process instead"


class CannotCancelShipped(NotAllowed):
    """Items of the order are shipped or delivered."""

    message = "Cannot cancel an order with shipped or delivered items. Please use the return process instead"


class NotFinished(NotAllowed):
    """Items, returns or amounts of the order are pending."""

    def __init__(self, pending: Iterable[str]) -> None:
        super().__init__(f"The order cannot be completed without a note: {'; '.join(pending)}")


class CountryCannotChange(InvalidData):
    """Another country would have other taxes and shipping options."""

    def __init__(self, field: str) -> None:
        super().__init__(f"Country code cannot be changed in field '{field}'")
