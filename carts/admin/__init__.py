"""The screens of carts and promotions."""

from carts.admin import carts, promotions

__all__ = ["carts", "promotions"]
