"""Carts have no list, and so no filters."""

from kit.reads.filters.filtering import ResourceFilterSet


class CartFilters(ResourceFilterSet):
    """No filters: carts have no list."""
