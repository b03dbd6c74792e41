"""Whether somebody has ordered before, as conditions of promotions ask."""

from django.db.models import Q

from orders.models import Order
from orders.states import OrderStatus


def has_ordered(customer_key: str) -> bool:
    """Whether the customer, or the guest with that email address, has an order that is not canceled. One statement."""
    theirs = Q(customer=customer_key) | Q(customer=None, email=customer_key)
    return Order.objects.filter(theirs).exclude(status=OrderStatus.CANCELED).exists()
