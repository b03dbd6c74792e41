"""Gift cards, and the ledger of what the shop owes in store credit."""

from giftcards.models.cards import GiftCard
from giftcards.models.holds import CreditHold
from giftcards.models.ledger import StoreCreditAccount, Transaction, TransactionGroup

__all__ = ["CreditHold", "GiftCard", "StoreCreditAccount", "Transaction", "TransactionGroup"]
