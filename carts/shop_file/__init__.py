"""The carts' sections of the shop file."""

from carts.shop_file.carts import Carts
from carts.shop_file.promotions import Campaigns, Promotions

__all__ = ["Campaigns", "Carts", "Promotions"]
