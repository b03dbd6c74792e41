"""Carts: what a customer is about to buy, and what its price consists of."""

from carts.models.campaigns import Campaign
from carts.models.cart_promotions import CartPromotion
from carts.models.carts import Cart, CartAddress, DraftNumber
from carts.models.charges import CreditLine, ShippingMethod, ShippingMethodAdjustment, ShippingMethodTaxLine
from carts.models.items import Adjustment, LineItem, TaxLine
from carts.models.promotion_parts import PromotionCode, PromotionGate, PromotionRule, PromotionUsage
from carts.models.promotions import Promotion

__all__ = [
    "Adjustment",
    "Campaign",
    "Cart",
    "CartAddress",
    "CartPromotion",
    "CreditLine",
    "DraftNumber",
    "LineItem",
    "Promotion",
    "PromotionCode",
    "PromotionGate",
    "PromotionRule",
    "PromotionUsage",
    "ShippingMethod",
    "ShippingMethodAdjustment",
    "ShippingMethodTaxLine",
    "TaxLine",
]
