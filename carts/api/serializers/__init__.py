"""The fields of carts in answers, and the inputs that change them."""

from carts.api.serializers.carts import CartSerializer, DeletedLineItemSerializer
from carts.api.serializers.charges import CreditLineSerializer, ShippingMethodSerializer
from carts.api.serializers.items import AdjustmentSerializer, LineItemSerializer, TaxLineSerializer
from carts.api.serializers.promotions import PromotionSerializer

__all__ = [
    "AdjustmentSerializer",
    "CartSerializer",
    "CreditLineSerializer",
    "DeletedLineItemSerializer",
    "LineItemSerializer",
    "PromotionSerializer",
    "ShippingMethodSerializer",
    "TaxLineSerializer",
]
