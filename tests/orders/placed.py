"""Orders of the pieces that a test names."""

from typing import Any

from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import ProductVariant
from customers.models import Customer
from orders.models import Order
from tests.factories import carts as make
from tests.factories.orders import order
from tests.factories.payments import PROVIDER
from tests.factories.products import ProductFactory

GUEST = "guest@example.com"


def placed(
    *pieces: NewLineItem | ProductVariant, customer: Customer | None = None, cart: Cart | None = None, **columns: Any
) -> Order:
    """The captured order of the cart, or of one with those pieces: the customer's, otherwise a guest's."""
    if cart is None:
        actor = make.shopper(customer_id=customer.pk if customer else None)
        email = customer.email if customer else GUEST
        cart = make.cart(*(pieces or [make.sold_variant(10)]), actor=actor, email=email)
    cart.region.payment_providers.add(PROVIDER)
    return order(cart=cart, captured=True, **columns)


def gift(amount: Any = 50) -> ProductVariant:
    """A variant of a gift card product."""
    return make.sold_variant(amount, product=ProductFactory(is_giftcard=True))
