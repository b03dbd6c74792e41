"""The screens of carts and promotions."""

from carts.admin import carts, customer_parts, promotion_codes, promotions

__all__ = ["carts", "customer_parts", "promotion_codes", "promotions"]
