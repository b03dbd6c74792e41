"""The errors of changes of orders. Messages are Medusa's where it has them."""

from kit.domain.missing_row import RowNotFound, given_by
from kit.errors import InvalidData, NotAllowed, shown


class ChangeNotFound(RowNotFound):
    """No change has that id."""

    noun = "Order change"


class ActionNotFound(RowNotFound):
    """The open change has no such action."""

    noun = "Action"


class LineNotFound(RowNotFound):
    """The order has no line with that id."""

    noun = "Item"


class NoOpenChange(NotAllowed):
    """The order has no change that could be acted on or confirmed."""

    message = "An active Order Change is required to proceed"


class ChangeEnded(NotAllowed):
    """The change was confirmed or canceled."""

    def __init__(self, status: str) -> None:
        super().__init__(f"The change is {status}: only an open one can be changed")


class ChangeOpen(NotAllowed):
    """An order has one open change at most. begun_by: the id of a staff user."""

    def __init__(self, order_id: str, change_id: str, begun_by: str | None) -> None:
        by = f", begun by user {begun_by}" if begun_by else ""
        super().__init__(f"Order {order_id} already has an existing active order change: {change_id}{by}")


class OrderClosed(NotAllowed):
    """The goods of a completed or archived order have left."""

    def __init__(self, status: str) -> None:
        super().__init__(f"The order is {status}, so its items stay as they are. They can be returned")


class NoActions(NotAllowed):
    """Nothing would change."""

    message = "The change has no actions to confirm"


class NothingToAdd(InvalidData):
    """The list of items is empty."""

    message = "Field 'items' must name at least one item"


class GiftCardVariant(InvalidData):
    """Gift cards are bought in a cart, and canceled with their order."""

    def __init__(self, title: str) -> None:
        message = f"'{shown(title)}' is a gift card, which cannot be added to an order"
        super().__init__(given_by(message, "variant_id"))


class NoBackorder(InvalidData):
    """Only the variant itself allows backorders."""

    message = "Field 'allow_backorder' cannot be true: the variant does not allow backorders"


class OptionNotForOrder(InvalidData):
    """The option does not exist, or does not deliver to the order's address."""

    def __init__(self, option_id: str) -> None:
        message = f"Shipping option with id: {shown(option_id)} does not deliver to the address of this order"
        super().__init__(given_by(message, "shipping_option_id"))


class ShippingWithoutPrice(InvalidData):
    """The option has no price in the order's currency, or its provider calculates it. Staff can set one."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Field 'custom_amount' is required: shipping option '{shown(name)}' has no price")
