"""The errors of returns. Messages are Medusa's where it has them."""

from kit.domain.missing_row import RowNotFound, given_by, missing
from kit.errors import InvalidData, NotAllowed, shown


class ReturnNotFound(RowNotFound):
    """No return has that id."""

    noun = "Return"


class ReturnItemNotFound(RowNotFound):
    """No item of the return has that id."""

    noun = "Return item"


class UnknownReturnReason(InvalidData):
    """No return reason has that id."""

    def __init__(self, reason_id: str) -> None:
        super().__init__(missing("Return reason", reason_id, field="reason_id"))


class NothingToReturn(InvalidData):
    """The list of items is empty."""

    message = "Field 'items' must name at least one item"


class TooManyToReturn(InvalidData):
    """The quantity exceeds the units that can still be returned. reached: `delivered` or `shipped`."""

    def __init__(self, line: str, reached: str, left: int) -> None:
        super().__init__(
            f"Cannot request to return more items than what was {reached} for item {line}: {left} can still be returned"
        )


class GiftCardLine(InvalidData):
    """Gift cards are canceled, not returned."""

    def __init__(self, line: str) -> None:
        super().__init__(f"Item {line} is a gift card, which cannot be returned")


class WindowClosed(InvalidData):
    """The line was delivered too long ago for a customer to return it."""

    def __init__(self, line: str, days: int) -> None:
        super().__init__(f"Item {line} can no longer be returned: {days} days have passed since its delivery")


class ReasonHasNested(InvalidData):
    """Only a reason without child reasons can be chosen."""

    def __init__(self, label: str) -> None:
        super().__init__(f"Return reason '{shown(label)}' has nested reasons. Choose one of them in field 'reason_id'")


class OptionNotForReturn(InvalidData):
    """The option does not exist, or does not serve returns from the order's address."""

    def __init__(self, option_id: str, *, field: str | None) -> None:
        message = f"Shipping option with id: {shown(option_id)} does not serve returns of this order"
        super().__init__(given_by(message, field))


class ReturnShippingWithoutPrice(InvalidData):
    """The option has no price in the order's currency, or its provider calculates it. Staff can set one."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Shipping option '{shown(name)}' has no price for returns of this order")


class ReturnMethodNotFound(RowNotFound):
    """The return has no shipping method with that id."""

    noun = "Shipping method"


class NotOpen(NotAllowed):
    """Only the items of an open return can be changed."""

    def __init__(self, status: str) -> None:
        super().__init__(f"The return is {status}: only an open return can be changed")


class NotReceivable(NotAllowed):
    """Only a requested return can be received."""

    def __init__(self, status: str) -> None:
        super().__init__(f"The return is {status}: it cannot be received")


class ItemsNotInReturn(InvalidData):
    """The return has no items of these lines."""

    def __init__(self, line_id: str, return_id: str) -> None:
        super().__init__(f"Item {line_id} does not exist in return with id {return_id}")


class MoreThanRequested(InvalidData):
    """The quantity exceeds the units that are still to be received."""

    def __init__(self, line_id: str, left: int) -> None:
        super().__init__(
            f"Cannot receive more items than what was requested for item {line_id}: {left} can still be received"
        )


class NothingToReceive(InvalidData):
    """The list of items is empty, or nothing was counted."""

    message = "No items to receive"


class RestockLocationRequired(InvalidData):
    """The units were shipped from several locations, and neither the return nor the caller names one."""

    message = "Field 'location_id' is required: the received items were shipped from several locations"


class NotStockedThere(InvalidData):
    """The location does not stock an item of the return."""

    def __init__(self, location_id: str, problem: str) -> None:
        super().__init__(f"Cannot receive the return at location {location_id} of field 'location_id': {problem}")


class ReceiptBegun(NotAllowed):
    """Units of the return were received, so it cannot be canceled."""

    message = "Cannot cancel a return whose items have been received"


class ReturnAlreadyCanceled(NotAllowed):
    """The return is already canceled."""

    message = "The return is already canceled"


class NotRequested(NotAllowed):
    """An open return is discarded, not canceled."""

    message = "The return is open, and was not requested: delete it instead"
