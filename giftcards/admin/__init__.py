"""The admin screens of gift cards and store credit."""

from giftcards.admin import accounts, cards, customer_buttons, ledger, summary

__all__ = ["accounts", "cards", "customer_buttons", "ledger", "summary"]
