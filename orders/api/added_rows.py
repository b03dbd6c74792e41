"""What ordering again adds to carts, as throttles count it."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Sum, TextField
from django.db.models.functions import Cast, Length

from kit.rest.storage_limits import CARTS, KIB, LINES, Amounts
from kit.values.text import is_storable
from orders.models import OrderLineItem


def reordered_lines(given: Mapping[str, Any]) -> Amounts:
    """A cart, the lines of the order, and each full KiB of their metadata. given: its id. One statement."""
    order_id = given.get("id")
    lines = OrderLineItem.objects.not_deleted().filter(order_id=order_id if is_storable(str(order_id)) else None)
    size = Sum(Length(Cast("metadata", TextField())))
    stored = lines.aggregate(lines=Count("pk"), size=size)
    return {CARTS: 1, LINES: stored["lines"], KIB: (stored["size"] or 0) // 1024}
