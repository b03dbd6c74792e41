"""The errors of staff's verbs on orders. Texts are the peer's where it has one."""

from collections.abc import Iterable

from commerce.kit.core.errors import InvalidData, NotAllowed


class CannotCancelCompleted(NotAllowed):
    """A completed order is not canceled: its goods come back by returns."""

    def __init__(self) -> None:
        super().__init__("Cannot cancel a completed order. Please use the return process instead")


class CannotCancelShipped(NotAllowed):
    """Goods of the order are on their way or have arrived."""

    def __init__(self) -> None:
        super().__init__(
            "Cannot cancel an order with shipped or delivered items. Please use the return process instead"
        )


class NotFinished(NotAllowed):
    """Something of the order is pending."""

    def __init__(self, pending: Iterable[str]) -> None:
        super().__init__(f"The order cannot be completed without a note: {'; '.join(pending)}")


class CountryCannotChange(InvalidData):
    """Another country would have other taxes and shipping options."""

    def __init__(self, field: str) -> None:
        super().__init__(f"Country code cannot be changed in field '{field}'")
