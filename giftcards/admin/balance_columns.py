"""Admin columns of balances."""

from django.contrib import admin
from django.db.models import F

from giftcards.models import StoreCreditAccount, TransactionGroup
from kit.admin.lists.amounts import shown


def owner(account: StoreCreditAccount) -> str:
    """The customer, or the masked gift card that a guest spends."""
    return f"gift card {account.gift_card}" if account.customer is None else str(account.customer)


def account_of(row: StoreCreditAccount | TransactionGroup) -> StoreCreditAccount:
    """The account of a row, which may be the row itself."""
    return row if isinstance(row, StoreCreditAccount) else row.account


class BalanceColumns:
    """For accounts and their groups."""

    @admin.display(description="Customer")
    def owner(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return owner(account_of(row))

    @admin.display(description="Credits", ordering="credits")
    def credited(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return shown(row.credits, account_of(row).currency_id)

    @admin.display(description="Debits", ordering="debits")
    def debited(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return shown(row.debits, account_of(row).currency_id)

    @admin.display(description="Balance", ordering=F("credits") - F("debits"))
    def balance(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return shown(row.balance, account_of(row).currency_id)


BALANCES = BalanceColumns()
