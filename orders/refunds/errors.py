"""The errors of refunds of orders, for staff and programs of the shop."""

from decimal import Decimal

from commerce.kit.core.errors import InvalidData
from commerce.kit.core.missing_row import missing
from commerce.kit.core.money import rounded


class ReasonRequired(InvalidData):
    """Every refund has a reason, or is for a return. Source: orders.md D10."""

    def __init__(self) -> None:
        super().__init__("Field 'refund_reason_id' is required, unless the refund names a return")


class UnknownReason(InvalidData):
    """No refund reason has that id."""

    def __init__(self, refund_reason_id: str) -> None:
        super().__init__(missing("Refund reason", refund_reason_id, field="refund_reason_id"))


class UnknownReturn(InvalidData):
    """The order has no return with that id."""

    def __init__(self, return_id: str) -> None:
        super().__init__(missing("Return", return_id, field="return_id"))


class RefundTooLarge(InvalidData):
    """The amount exceeds what was paid for the order and has not been refunded."""

    def __init__(self, left: Decimal, currency_code: str) -> None:
        super().__init__(
            f"Value for field 'amount' too big: at most {rounded(left, currency_code)} {currency_code} of the order "
            "can be refunded"
        )


class StoreCreditNeedsCustomer(InvalidData):
    """The order has no customer who could sign in to spend the credit."""

    def __init__(self) -> None:
        super().__init__("Field 'to_store_credit' requires an order of a customer with an account")
