"""The errors of managing orders. Messages are Medusa's where it has them."""

from collections.abc import Iterable

from kit.domain.missing_row import missing
from kit.errors import Duplicate, InvalidData, NotAllowed, shown


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


class UnknownOrder(InvalidData):
    """A body names no order."""

    def __init__(self, order_id: str) -> None:
        super().__init__(missing("Order", order_id, field="order_id"))


class OtherOrder(InvalidData):
    """The payment collection is of another order, or of none."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Field 'order_id' is not the order of the payment collection: {shown(order_id)}")


class UnknownSession(InvalidData):
    """The order has no such payment session."""

    def __init__(self, session_id: str) -> None:
        super().__init__(missing("Payment session", session_id, field="payment_session_id"))


class MoreThanOutstanding(InvalidData):
    """A payment collection asks for no more than the customer still has to pay."""

    def __init__(self, left: object, currency_code: str) -> None:
        super().__init__(f"Field 'amount' must be at most what is outstanding of the order: {left} {currency_code}")


class MoreThanOwed(InvalidData):
    """A negative credit line gives back no more than the customer is owed."""

    def __init__(self, owed: object, currency_code: str) -> None:
        super().__init__(f"Field 'amount' must give back at most what the customer is owed: -{owed} {currency_code}")


class CreditLineExists(Duplicate):
    """The order has a credit line with that reference."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"The order already has a credit line of that 'reference_id' for '{shown(reference)}'")


class ReservedReference(InvalidData):
    """Credit lines of gift cards and store credit that paid at checkout have these references."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"Field 'reference' must not be '{reference}', which the shop uses itself")


class NotALocalProvider(InvalidData):
    """Payments by an outside provider are recorded as it reports them, never by hand."""

    def __init__(self, provider_id: str) -> None:
        super().__init__(f"Field 'provider_id' must be a provider for payments by hand: {shown(provider_id)} is not")


class FirstCollection(NotAllowed):
    """Every order keeps the payment collection of its cart."""

    message = "The payment collection is that of the order's cart and cannot be deleted"
