"""Carts have no list, and so no filters."""

from commerce.kit.core.filtering import ResourceFilterSet


class CartFilters(ResourceFilterSet):
    """No filters: carts have no list."""
