"""Gift cards, and the ledger of what the shop owes in store credit."""

from giftcards.models.cards import GiftCard
from giftcards.models.gift_card_lines import GiftCardLineItem
from giftcards.models.holds import CreditHold
from giftcards.models.ledger import StoreCreditAccount, Transaction, TransactionGroup

__all__ = ["CreditHold", "GiftCard", "GiftCardLineItem", "StoreCreditAccount", "Transaction", "TransactionGroup"]
