"""What shipping refuses."""

from commerce.kit.core.errors import InvalidData, NotAllowed
from commerce.kit.core.missing_row import RowNotFound
from commerce.kit.core.paging import shown


class ShippingOptionNotFound(RowNotFound):
    """No option with that id is among those that the cart may choose from."""

    noun = "Shipping option"


class ShippingMethodNotFound(RowNotFound):
    """The cart has no method with that id."""

    noun = "Shipping method"


class OptionNotOffered(InvalidData):
    """The cart may not choose the option: for its address, its goods, or the option's rules."""

    def __init__(self) -> None:
        super().__init__("Shipping Options are invalid for cart.")


class OptionWithoutPrice(InvalidData):
    """Nothing says what the option costs in the cart's currency."""

    def __init__(self, option_id: str) -> None:
        super().__init__(f"Shipping options with IDs {shown(option_id)} do not have a price")


class ProviderRefused(InvalidData):
    """The provider does not ship that, and says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The fulfillment provider refused: {shown(reason)}")


class OptionCannotBePriced(NotAllowed):
    """Its provider is switched off, or settings name no code for it."""

    def __init__(self, option_id: str) -> None:
        super().__init__(f"Shipping option with id: {shown(option_id)} cannot be priced at present")
