"""The screens of promotions and campaigns."""

from carts.admin.promotions import campaigns, promotions

__all__ = ["campaigns", "promotions"]
