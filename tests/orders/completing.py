"""What tests of completion call, and what they look at."""

from typing import Any

from carts.models import Cart
from catalog.models import InventoryLevel, Reservation
from orders.completion.completing import complete
from orders.completion.settling import Completed
from orders.models import CompletionAttempt, Order
from tests.factories.carts import shopper


def completed(cart: Cart, **given: Any) -> Completed:
    """By the cart's own shopper."""
    return complete(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk, **given)


def order_of(cart: Cart, **given: Any) -> Order:
    """The order that the cart becomes."""
    done = completed(cart, **given)
    assert done.refusal is None
    found: Order = Order.objects.get(pk=done.order_id)
    return found


def nothing_is_claimed(cart: Cart) -> bool:
    """Whether stock, uses and credit are as if the cart had never been completed, and it can be changed."""
    cart = Cart.objects.get(pk=cart.pk)
    assert not Order.objects.filter(cart_id=cart.pk).exists()
    assert not CompletionAttempt.objects.filter(cart_id=cart.pk, status="open").exists()
    assert not Reservation.objects.not_deleted().exists()
    assert not InventoryLevel.objects.exclude(reserved_quantity=0).exists()
    return cart.closed_at is None and cart.completed_at is None
