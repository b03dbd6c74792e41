"""What was paid in the walk's shop: at the second try, and some of it was given back."""

from decimal import Decimal

from carts.models import Cart
from customers.models import Customer
from kit.domain.actor import SYSTEM
from payments.models import Intent, Payment
from payments.movements.capturing import capture
from payments.movements.refunding import refund
from payments.requests.intents import carry_out
from payments.sessions.authorization import authorize
from payments.states import Act
from tests.factories.payments import collection, payable_cart, refund_reason, session
from tests.interface_walk.shop_words import NOTES


def build_paid_cart(customer: Customer, *, provider_id: str) -> Cart:
    """The customer's."""
    cart = payable_cart(50, customer_id=customer.pk, provider_id=provider_id)
    opened = collection(cart)
    for attempt in (1, 2):
        authorize(actor=SYSTEM, session_id=session(opened, provider_id=provider_id, data={"attempt": attempt}).pk)
    for intent in Intent.objects.filter(act=Act.CANCEL):
        carry_out(intent.pk)
    paid = Payment.objects.get(collection=opened, canceled_at=None)
    capture(actor=SYSTEM, payment_id=paid.pk)
    reason = refund_reason(description="On its way", metadata=NOTES)
    refund(actor=SYSTEM, payment_id=paid.pk, amount=Decimal(10), refund_reason_id=reason.pk, note="Sorry")
    return cart
