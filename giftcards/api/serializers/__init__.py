"""Serializers of gift cards and store credit."""

from giftcards.api.serializers.accounts import StoreCreditAccountSerializer, TransactionGroupSerializer
from giftcards.api.serializers.admin import (
    AdminGiftCardSerializer,
    AdminStoreCreditAccountSerializer,
    StoreCreditTransactionSerializer,
)
from giftcards.api.serializers.cards import GiftCardSerializer

__all__ = [
    "AdminGiftCardSerializer",
    "AdminStoreCreditAccountSerializer",
    "GiftCardSerializer",
    "StoreCreditAccountSerializer",
    "StoreCreditTransactionSerializer",
    "TransactionGroupSerializer",
]
