"""A trigger on either database, and the tables that have triggers."""

from dataclasses import dataclass

CARDS = "giftcards_giftcard"
ACCOUNTS = "giftcards_storecreditaccount"
GROUPS = "giftcards_transactiongroup"
ENTRIES = "giftcards_transaction"

ENTRY_STAYS = "An entry of the ledger is neither changed nor removed"
BALANCE_FOLLOWS = "What is kept of the ledger follows from its entries alone"
ACCOUNT_STAYS = "An account keeps its owner and its currency"
GROUP_STAYS = "A group keeps its account and its code"
CARD_STAYS = (
    "A gift card keeps its value, currency and code, and once it is redeemed or canceled its status and customer"
)


@dataclass(frozen=True)
class Trigger:
    """statement: creates the trigger."""

    name: str
    table: str
    statement: str
