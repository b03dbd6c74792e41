"""Carts: what a customer is about to buy, and what its price consists of."""

from carts.models.carts import Cart, CartAddress
from carts.models.charges import CreditLine, ShippingMethod, ShippingMethodAdjustment, ShippingMethodTaxLine
from carts.models.items import Adjustment, LineItem, TaxLine
from carts.models.promotions import Promotion, PromotionUsage

__all__ = [
    "Adjustment",
    "Cart",
    "CartAddress",
    "CreditLine",
    "LineItem",
    "Promotion",
    "PromotionUsage",
    "ShippingMethod",
    "ShippingMethodAdjustment",
    "ShippingMethodTaxLine",
    "TaxLine",
]
