"""Gift cards and store credit in the shop file."""

from giftcards.shop_file.gift_cards import GiftCards
from giftcards.shop_file.store_credit_accounts import StoreCreditAccounts

__all__ = ["GiftCards", "StoreCreditAccounts"]
