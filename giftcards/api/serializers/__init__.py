"""Gift cards and store credit as answers show them."""

from giftcards.api.serializers.accounts import StoreCreditAccountSerializer, TransactionGroupSerializer
from giftcards.api.serializers.cards import GiftCardLineItemSerializer, GiftCardSerializer

__all__ = [
    "GiftCardLineItemSerializer",
    "GiftCardSerializer",
    "StoreCreditAccountSerializer",
    "TransactionGroupSerializer",
]
