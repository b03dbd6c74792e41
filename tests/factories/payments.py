"""Payments for tests, made by their own verbs: no test invents how money has moved."""

from decimal import Decimal
from typing import Any

from carts.models import Cart
from kit.domain.actor import SYSTEM
from payments.lifecycle import cart_collection
from payments.models import Payment, PaymentCollection, PaymentSession, RefundReason
from payments.movements import capturing
from payments.sessions import authorization, starting
from tests.factories.carts import cart as new_cart
from tests.factories.carts import shopper, sold_variant

PROVIDER = "pp_system_default"
"""Agrees to everything."""


def payable_cart(amount: Any = 50, *, customer_id: str | None = None, provider_id: str = PROVIDER) -> Cart:
    """A cart in dollars that has so much left to pay, in a region where that provider may be chosen."""
    made = new_cart(sold_variant(amount), actor=shopper(customer_id=customer_id))
    made.region.payment_providers.add(provider_id)
    return made


def collection(cart: Cart | None = None, **given: Any) -> PaymentCollection:
    """The cart's collection; without a cart, that of a new one made by payable_cart(**given)."""
    paid = cart or payable_cart(**given)
    collection_id = cart_collection.open_collection(actor=shopper(customer_id=paid.customer_id), cart_id=paid.pk)
    return PaymentCollection.objects.get(pk=collection_id)


def session(
    of: PaymentCollection | None = None,
    *,
    provider_id: str = PROVIDER,
    data: dict[str, Any] | None = None,
    **given: Any,
) -> PaymentSession:
    """A session of the collection, or of a new one, that its provider has prepared."""
    opened = of or collection(provider_id=provider_id, **given)
    session_id = starting.start_session(
        actor=SYSTEM if opened.cart is None else shopper(customer_id=opened.cart.customer_id),
        collection_id=opened.pk,
        provider_id=provider_id,
        data=data,
    )
    return PaymentSession.objects.get(pk=session_id)


def authorized_payment(amount: Any = 50, **given: Any) -> Payment:
    """What a new cart's session has become once its provider has promised the amount, in dollars."""
    started = session(amount=amount, **given)
    authorization.authorize(actor=SYSTEM, session_id=started.pk)
    return Payment.objects.get(session=started)


def captured_payment(amount: Any = 50, *, captured: Any | None = None, **given: Any) -> Payment:
    """The same after the provider has taken it; `captured` says how much, where that is not all."""
    payment = authorized_payment(amount, **given)
    taken = None if captured is None else Decimal(str(captured))
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=taken)
    return Payment.objects.get(pk=payment.pk)


def refund_reason(code: str = "damaged", label: str = "Arrived damaged", **given: Any) -> RefundReason:
    """A reason that staff may choose."""
    return RefundReason.objects.create(code=code, label=label, **given)
