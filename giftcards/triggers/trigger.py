"""A trigger of this app, and the tables that have triggers."""

from dataclasses import dataclass

from kit.database import triggers

CARDS = "giftcards_giftcard"
ACCOUNTS = "giftcards_storecreditaccount"
GROUPS = "giftcards_transactiongroup"
ENTRIES = "giftcards_transaction"
HOLDS = "giftcards_credithold"
KEPT_OF_ENTRIES = ("id", "group_id", "type", "amount", "reference", "reference_id", "created_by", "created_at")
"""All columns but the note."""

ENTRY_STAYS = "An entry of the ledger is neither changed nor removed"
BALANCE_FOLLOWS = "What is kept of the ledger follows from its entries alone"
ACCOUNT_STAYS = "An account keeps its owner and its currency"
GROUP_STAYS = "A group keeps its account and its code"
CARD_STAYS = (
    "A gift card keeps its value, currency and code, and once it is redeemed or canceled its status and customer"
)
HOLD_STAYS = "A hold is made and released, and never changed"
HELD_FOLLOWS = "What is kept of holds follows from them alone"


@dataclass(frozen=True)
class Trigger(triggers.Trigger):
    """is_of_holds: whether it needs the table of holds, which 0004_holds creates."""

    is_of_holds: bool = False
