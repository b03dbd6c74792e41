"""The errors of refunds of orders, for staff and programs of the shop."""

from decimal import Decimal

from kit.domain.missing_row import missing
from kit.errors import InvalidData, NotAllowed
from kit.values.money import rounded
from orders.models import Order


class OrderChanged(NotAllowed):
    """The order has another version than the caller has seen."""

    def __init__(self, order: Order) -> None:
        super().__init__(f"Order {order} has changed in the meantime")


class ReasonRequired(InvalidData):
    """Every refund has a reason, or is for a return."""

    message = "Field 'refund_reason_id' is required, unless the refund names a return"


class UnknownReturn(InvalidData):
    """The order has no return with that id."""

    def __init__(self, return_id: str) -> None:
        super().__init__(missing("Return", return_id, field="return_id"))


class ReturnNotRefundable(NotAllowed):
    """Staff still prepare the return, or it was canceled."""

    def __init__(self, status: str) -> None:
        super().__init__(f"The return of field 'return_id' is {status} and cannot be refunded")


class RefundTooLarge(InvalidData):
    """The amount exceeds what was paid for the order and has not been refunded."""

    def __init__(self, left: Decimal, currency_code: str) -> None:
        super().__init__(
            f"Value for field 'amount' too big: at most {rounded(left, currency_code)} {currency_code} of the order "
            "can be refunded"
        )


class BoughtCardsSpendable(InvalidData):
    """The price of gift cards that can be spent is not refunded in part."""

    def __init__(self, most: Decimal, left: Decimal, currency_code: str) -> None:
        code = currency_code
        super().__init__(
            f"Value for field 'amount' too big: at most {rounded(most, code)} {code} of the order can be refunded "
            f"while its gift cards can be spent, or all {rounded(left, code)} {code}, which cancels them"
        )


class StoreCreditNeedsCustomer(InvalidData):
    """The order has no customer who could sign in to spend the credit."""

    message = "Field 'to_store_credit' requires an order of a customer with an account"
