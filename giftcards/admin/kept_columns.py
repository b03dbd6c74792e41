"""What screens show of kept balances."""

from django.contrib import admin
from django.db.models import F

from giftcards.admin.amounts import shown
from giftcards.models import StoreCreditAccount, TransactionGroup


class KeptColumns:
    """For rows of an account, and accounts themselves."""

    def currency_of(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return row.account.currency_id if isinstance(row, TransactionGroup) else row.currency_id

    @admin.display(description="Credits", ordering="credits")
    def credited(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return shown(row.credits, self.currency_of(row))

    @admin.display(description="Debits", ordering="debits")
    def debited(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return shown(row.debits, self.currency_of(row))

    @admin.display(description="Balance", ordering=F("credits") - F("debits"))
    def balance(self, row: StoreCreditAccount | TransactionGroup) -> str:
        return shown(row.credits - row.debits, self.currency_of(row))
