"""What requests add to carts, as throttles count it."""

from collections.abc import Mapping
from typing import Any

from kit.rest.storage_limits import CARTS, LINES, Amounts


def a_line(_: Mapping[str, Any]) -> Amounts:
    """A line, though it may grow an existing one."""
    return {LINES: 1}


def cart_with_items(given: Mapping[str, Any]) -> Amounts:
    """A cart, and a line for each item."""
    items = given.get("items")
    return {CARTS: 1, LINES: len(items) if isinstance(items, list) else 0}
