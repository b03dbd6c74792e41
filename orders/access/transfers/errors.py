"""The errors of transfers. The storefronts show their messages."""

from kit.errors import InvalidData, NotAllowed, shown


class AlreadyTheirs(InvalidData):
    """The order belongs to the customer who asks for it."""

    def __init__(self, order_id: str, customer_id: str) -> None:
        super().__init__(f"Order: {order_id} already belongs to customer: {customer_id}")


class TransferOfCanceledOrder(InvalidData):
    """A canceled order stays where it is."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order with id {order_id} has been canceled.")


class AlreadyRequested(InvalidData):
    """The customer has asked for the order already, and has no answer yet."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order ({order_id}) already has an existing active order change")


class UnknownRequester(InvalidData):
    """There is no account with that id."""

    def __init__(self, customer_id: str) -> None:
        super().__init__(f"Value for field 'customer_id' is no customer with an account: '{shown(customer_id)}'")


class NobodyToAsk(InvalidData):
    """The order's email address has been erased."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order {order_id} has no email address that could confirm the transfer")


class NoTransferRequest(InvalidData):
    """There is no request to answer, or to cancel."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order {order_id} does not have an order transfer request.")


class InvalidTransferToken(NotAllowed):
    """The token is wrong, expired, or of another order, or its request was answered or canceled."""

    message = "Invalid token."


class NotTheRequester(NotAllowed):
    """Only the customer who has requested a transfer can cancel it."""

    message = "This customer is not allowed to cancel the transfer."
