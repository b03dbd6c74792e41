"""How a session stands by what Stripe says of its PaymentIntent, or of the charge that has paid it.

What Stripe says are its objects as plain JSON, in API versions with `latest_charge`. Their metadata are ours: the
session's id, and its amount, since three decimals are charged as two: who has paid all of what Stripe asked for has
paid all of the session.
"""

from decimal import Decimal, InvalidOperation
from typing import get_args

from commerce.kit.core.json import JSONObject
from payments.providers.base import ProviderReport
from payments.providers.stripe_amounts import major, minor
from payments.providers.stripe_objects import IntentField, StripeCharge, StripeIntent
from payments.states import SessionStatus

_STATUSES = {
    "requires_payment_method": SessionStatus.PENDING,
    "requires_confirmation": SessionStatus.PENDING,
    "requires_action": SessionStatus.REQUIRES_MORE,
    "processing": SessionStatus.PENDING_AUTHORIZATION,
    "requires_capture": SessionStatus.AUTHORIZED,
    "succeeded": SessionStatus.CAPTURED,
    "canceled": SessionStatus.CANCELED,
}
_KEPT: tuple[IntentField, ...] = get_args(IntentField)


def report_of(intent: StripeIntent, *, refunded: int = 0) -> ProviderReport:
    """By a PaymentIntent. refunded: what is known to have gone back at least, in Stripe's units.

    Raises KeyError, TypeError, ValueError or Declined for what is none.
    """
    status = _STATUSES[intent["status"]]
    if intent["status"] == "requires_payment_method" and intent.get("last_payment_error"):
        status = SessionStatus.ERROR
    received, capturable = int(intent["amount_received"]), int(intent["amount_capturable"])
    charge = intent.get("latest_charge")
    if isinstance(charge, dict):
        refunded = max(refunded, _refunded(charge))
    is_promised = status in (SessionStatus.AUTHORIZED, SessionStatus.CAPTURED)
    return ProviderReport(
        status,
        {name: intent[name] for name in _KEPT if name in intent},
        authorized=_amount(received + capturable, intent) if is_promised else None,
        captured=_amount(received, intent) if received else None,
        refunded=_amount(refunded, intent) if refunded else None,
    )


def report_of_charge(charge: StripeCharge) -> ProviderReport | None:
    """By a charge; None for one of which nothing was captured, where what was promised has been released.

    Raises as report_of.
    """
    captured = int(charge["amount_captured"])
    if not captured:
        return None
    kept: JSONObject = {
        "id": charge["payment_intent"],
        "status": "succeeded",
        "currency": charge["currency"],
        "amount": charge["amount"],
        "amount_capturable": 0,
        "amount_received": captured,
    }
    return ProviderReport(
        SessionStatus.CAPTURED,
        kept,
        authorized=_amount(captured, charge),
        captured=_amount(captured, charge),
        refunded=_amount(_refunded(charge), charge),
    )


def _refunded(charge: StripeCharge) -> int:
    """What went back of what was captured: Stripe counts what a capture in part has released among its refunds."""
    captured, refunded = int(charge["amount_captured"]), int(charge["amount_refunded"])
    released = int(charge["amount"]) - captured
    return min(captured, refunded - released if refunded >= released else refunded)


def _amount(units: int, thing: StripeIntent | StripeCharge) -> Decimal:
    whole = _session_amount(thing) if units == thing["amount"] else None
    return major(units, thing["currency"]) if whole is None else whole


def _session_amount(thing: StripeIntent | StripeCharge) -> Decimal | None:
    """The session's own amount, as long as it is what Stripe was asked for: its metadata can be edited there."""
    try:
        amount = Decimal(thing["metadata"]["amount"])
    except (KeyError, TypeError, InvalidOperation):
        return None
    return amount if amount.is_finite() and minor(amount, thing["currency"]) == thing["amount"] else None
