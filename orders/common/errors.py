"""The errors of orders. Those of completion have the messages of Medusa, which storefronts know."""

from collections.abc import Iterable, Mapping

from kit.domain.missing_row import GuessedRowNotFound
from kit.errors import Conflict, InvalidData, NotAllowed, listed, shown


class OrderNotFound(GuessedRowNotFound):
    """No order has that id, or the caller may not see it."""

    noun = "Order"


class ReasonHasChildren(NotAllowed):
    """A reason's children must be deleted or moved first."""

    def __init__(self, label: str) -> None:
        super().__init__(f"Return reason '{label}' has others below it: delete or move them first")


class DraftBeingChanged(NotAllowed):
    """What staff have prepared would be lost with the conversion."""

    def __init__(self, draft_id: str) -> None:
        super().__init__(f"Draft order {draft_id} has an open change: confirm or cancel it first")


class NoItems(InvalidData):
    """An empty cart cannot become an order."""

    message = "Cannot complete a cart with no items"


class NoEmail(InvalidData):
    """An order needs an email address to report to."""

    message = "Field 'email' of the cart is required to complete it"


class NoShippingAddress(InvalidData):
    """Goods that are shipped need a shipping address."""

    message = "Field 'shipping_address' of the cart is required: it contains items that require shipping"


class NoShippingCountry(InvalidData):
    """The shipping address of goods that are shipped needs a country."""

    message = "Field 'shipping_address.country_code' of the cart is required: it contains items that require shipping"


class NoShippingMethod(InvalidData):
    """Goods that are shipped need a shipping method."""

    message = "No shipping method selected but the cart contains items that require shipping."


class ProfilesNotServed(InvalidData):
    """No chosen shipping method ships these lines."""

    def __init__(self, titles: Iterable[str]) -> None:
        super().__init__(
            "The cart items require shipping profiles that are not satisfied by the current shipping methods: "
            f"{listed(titles)}"
        )


class RegionClosed(InvalidData):
    """The cart's region has been deleted."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Field 'region_id' of the cart names a region that is no longer available: {shown(name)}")


class TotalChanged(InvalidData):
    """Prices, taxes, discounts or credit have changed since the shopper saw the cart, which shows them now."""

    def __init__(self, message: str, details: Mapping[str, object]) -> None:
        super().__init__(message)
        self.details = details


class AmountChanging(Conflict):
    """The payment provider has not yet said whether it has changed the amount of the session."""


class PaymentNotInitiated(InvalidData):
    """The cart has no payment collection."""

    message = "Payment collection has not been initiated for cart"


class PaymentSessionRequired(InvalidData):
    """The cart has no payment session for its amount due."""

    def __init__(self, *, is_again: bool) -> None:
        again = ": the earlier payment was canceled, pay again" if is_again else ""
        super().__init__(f"Payment sessions are required to complete cart{again}")


class PartlyPaid(InvalidData):
    """Less than the total was captured; the rest needs a payment session of its own."""

    def __init__(self, missing: str, currency_code: str) -> None:
        super().__init__(f"The cart is not paid in full: {missing} {currency_code} is missing")
