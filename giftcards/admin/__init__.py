"""The screens of gift cards and store credit."""

from giftcards.admin import accounts, cards, glance, ledger

__all__ = ["accounts", "cards", "glance", "ledger"]
