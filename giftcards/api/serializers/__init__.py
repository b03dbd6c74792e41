"""Serializers of gift cards and store credit."""

from giftcards.api.serializers.accounts import StoreCreditAccountSerializer, TransactionGroupSerializer
from giftcards.api.serializers.cards import GiftCardSerializer

__all__ = [
    "GiftCardSerializer",
    "StoreCreditAccountSerializer",
    "TransactionGroupSerializer",
]
