"""What an order comes to, and what is still owed. Source: orders.md 1.8, D9, D10."""

from decimal import Decimal
from typing import NamedTuple

from commerce.kit.core.json import JSONObject
from commerce.kit.projection.rows import json_number
from orders.states import OrderStatus


class OrderSums(NamedTuple):
    """The columns of an order that say what it comes to, in major units."""

    status: str
    total: Decimal
    original_order_total: Decimal
    paid_total: Decimal
    refunded_total: Decimal
    allowance_total: Decimal
    credit_line_total: Decimal

    @property
    def pending_difference(self) -> Decimal:
        """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing."""
        if self.status == OrderStatus.CANCELED:
            return Decimal(0)
        return self.total - (self.paid_total - self.refunded_total) - self.allowance_total

    def summary(self) -> JSONObject:
        """The `summary` of an order."""
        return {
            "paid_total": json_number(self.paid_total),
            "refunded_total": json_number(self.refunded_total),
            "accounting_total": json_number(self.total),
            "credit_line_total": json_number(self.credit_line_total),
            "transaction_total": json_number(self.paid_total - self.refunded_total),
            "pending_difference": json_number(self.pending_difference),
            "current_order_total": json_number(self.total),
            "original_order_total": json_number(self.original_order_total),
            "allowance_total": json_number(self.allowance_total),
        }
