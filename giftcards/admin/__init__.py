"""The admin screens of gift cards and store credit."""

from giftcards.admin import accounts, cards, ledger, summary

__all__ = ["accounts", "cards", "ledger", "summary"]
