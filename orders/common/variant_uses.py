"""Counts the carts and orders with a line of given variants."""

from collections.abc import Sequence

from carts.models import Cart
from catalog.products.variant_uses import VariantUses
from orders.models import OrderLineItem


def variant_uses(product_id: str, variant_ids: Sequence[str]) -> VariantUses:
    """The open carts and the orders with any of these variants of the product. Two statements."""
    lines = {"items__variant__in": variant_ids, "items__deleted_at": None}
    carts = Cart.objects.not_deleted().filter(completed_at=None, **lines)
    orders = OrderLineItem.objects.filter(product_id=product_id, variant_id__in=variant_ids)
    return VariantUses(carts=carts.distinct().count(), orders=orders.values("order_id").distinct().count())
