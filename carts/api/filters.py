"""Carts are read one by one."""

from commerce.kit.core.filtering import ResourceFilterSet


class CartFilters(ResourceFilterSet):
    """None."""
