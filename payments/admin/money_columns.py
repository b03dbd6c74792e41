"""Admin columns of collections, sessions and payments: amounts with their currency, statuses as labels."""

from decimal import Decimal

from django.contrib import admin

from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.label_column import label_column
from payments.models import Payment, PaymentCollection, PaymentSession

COLOURS = {
    "authorized": "info",
    "awaiting": "info",
    "pending": "info",
    "captured": "success",
    "completed": "success",
    "partially_authorized": "warning",
    "partially_captured": "warning",
    "requires_more": "warning",
    "pending_authorization": "warning",
    "failed": "danger",
    "error": "danger",
}


class MoneyColumns:
    """For rows with an amount and a currency."""

    @admin.display(description="Amount", ordering="amount")
    def worth(self, row: PaymentCollection | PaymentSession | Payment) -> str:
        return amount_cell(row.amount, row.currency_id)

    @admin.display(description="Authorized", ordering="authorized_amount")
    def authorized(self, row: PaymentCollection | Payment) -> str | None:
        return _so_far(row.authorized_amount, row.currency_id)

    @admin.display(description="Captured", ordering="captured_amount")
    def captured(self, row: PaymentCollection | Payment) -> str | None:
        return _so_far(row.captured_amount, row.currency_id)

    @admin.display(description="Refunded", ordering="refunded_amount")
    def refunded(self, row: PaymentCollection | Payment) -> str | None:
        return _so_far(row.refunded_amount, row.currency_id)

    @label_column(description="Status", colours=COLOURS)
    def state(self, row: PaymentCollection | PaymentSession) -> str:
        return row.status


def _so_far(amount: Decimal, currency_code: str) -> str | None:
    """None, which Django shows as a dash, for an amount of 0."""
    return amount_cell(amount, currency_code) if amount else None
