"""Errors of shipping."""

from kit.domain.missing_row import RowNotFound
from kit.errors import InvalidData, NotAllowed, shown


class ShippingOptionNotFound(RowNotFound):
    """No option with that id is available to the cart."""

    noun = "Shipping option"


class ShippingMethodNotFound(RowNotFound):
    """The cart has no shipping method with that id."""

    noun = "Shipping method"


class OptionNotAvailable(InvalidData):
    """The option is not available to the cart, because of its address, its items, or the option's rules."""

    message = "Shipping Options are invalid for cart."


class OptionWithoutPrice(InvalidData):
    """The option has no price in the cart's currency."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Shipping option '{shown(name)}' does not have a price")


class ShippingProviderRefused(InvalidData):
    """The provider does not ship the cart, with its reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The fulfillment provider refused: {shown(reason)}")


class OptionCannotBePriced(NotAllowed):
    """The option's provider is disabled, or settings name no class for it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Shipping option '{shown(name)}' cannot be priced at present")
