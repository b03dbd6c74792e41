"""The screens of promotions and campaigns."""

from carts.admin.promotions import campaigns, codes, promotions

__all__ = ["campaigns", "codes", "promotions"]
