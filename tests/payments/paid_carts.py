"""What tests do to a cart that is being paid, and what they look at."""

from carts.lines import line_change
from carts.models import Cart, LineItem
from payments.models import PaymentCollection, PaymentSession
from tests.factories.carts import shopper


def in_store(cart: Cart) -> Cart:
    return Cart.objects.get(pk=cart.pk)


def change_quantity(cart: Cart, quantity: int) -> None:
    """Of the cart's first line, each piece at 50 dollars."""
    line = LineItem.objects.filter(cart=cart).order_by("pk")[0]
    line_change.change(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk, line_id=line.pk, quantity=quantity)


def collection_of(cart: Cart) -> PaymentCollection:
    found: PaymentCollection = PaymentCollection.objects.get(cart=cart)
    return found


def session_of(cart: Cart) -> PaymentSession:
    """Its live one."""
    found: PaymentSession = PaymentSession.objects.not_deleted().get(collection__cart=cart)
    return found
