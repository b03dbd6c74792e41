"""Whether somebody has ordered before, as conditions of promotions ask."""

from django.db.models import Q

from orders.models import Order
from orders.states import OrderStatus


def has_ordered(customer_key: str) -> bool:
    """Whether the customer, or the guest with that email address, has an order that is not canceled. One statement."""
    of_guests = Q(customer=None) | Q(customer__has_account=False)
    theirs = of_guests & Q(email=customer_key) if "@" in customer_key else Q(customer=customer_key)
    return Order.objects.filter(theirs, canceled_at=None).exclude(status=OrderStatus.CANCELED).exists()
