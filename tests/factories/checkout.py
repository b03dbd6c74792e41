"""Carts that are ready to be completed, made by the verbs that a storefront's checkout calls."""

from typing import Any

from carts.details import details
from carts.models import Cart
from catalog.models import ProductVariant
from fulfillment.methods import method_choice
from payments.models import PaymentSession
from tests.factories import payments
from tests.factories.carts import cart as new_cart
from tests.factories.carts import shopper, sold_variant
from tests.factories.fulfillment import option

ADDRESS = {
    "first_name": "Ann",
    "last_name": "Lee",
    "address_1": "1 Elm",
    "city": "New York",
    "country_code": "us",
    "postal_code": "10001",
}
EMAIL = "ann@example.com"


def checked_out_cart(
    *pieces: Any, customer_id: str | None = None, provider_id: str = payments.PROVIDER, shipping: Any = 5, **given: Any
) -> Cart:
    """A cart with email and addresses, and a shipping method at that price; it still has to be paid.

    pieces: as carts.cart takes them; by default one variant at 50 dollars.
    """
    actor = shopper(customer_id=customer_id)
    cart = new_cart(*(pieces or (sold_variant(50),)), actor=actor, **given)
    cart.region.payment_providers.add(provider_id)
    address = dict(ADDRESS)
    details.change(actor=actor, cart_id=cart.pk, email=EMAIL, shipping_address=address, billing_address=address)
    if shipping is not None:
        method_choice.choose(actor=actor, cart_id=cart.pk, option_id=option(shipping).pk)
    return Cart.objects.get(pk=cart.pk)


def ready_cart(*pieces: Any, **given: Any) -> Cart:
    """The same with a payment session: nothing remains but to complete it."""
    cart = checked_out_cart(*pieces, **given)
    pay(cart, provider_id=given.get("provider_id", payments.PROVIDER))
    return Cart.objects.get(pk=cart.pk)


def pay(cart: Cart, *, provider_id: str = payments.PROVIDER) -> PaymentSession:
    """A payment session for the amount due of the cart."""
    return payments.session(payments.collection(cart), provider_id=provider_id)


def stocked(quantity: int, amount: Any = 10) -> ProductVariant:
    """A variant of which there are so many."""
    return sold_variant(amount, in_stock=quantity)
