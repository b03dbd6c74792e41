"""Carts are read one by one."""

from commerce.core.filtering import ResourceFilterSet


class CartFilters(ResourceFilterSet):
    """None."""
