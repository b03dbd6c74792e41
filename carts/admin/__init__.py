"""The screens of carts and promotions."""

from carts.admin import carts, customer_parts, promotions

__all__ = ["carts", "customer_parts", "promotions"]
