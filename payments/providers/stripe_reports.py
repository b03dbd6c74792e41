"""The report of a session from Stripe's PaymentIntent, or from the charge that paid it.

API versions with `latest_charge`. The metadata hold the session's id and amount: Stripe charges three decimals as two,
and a shopper who has paid all that Stripe charged has paid the whole session.
"""

from decimal import Decimal, InvalidOperation
from typing import get_args

from kit.values.json import JSONObject
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
    """The report of a PaymentIntent. refunded: the least that is known to be refunded, in Stripe's units.

    Raises KeyError, TypeError, ValueError or Declined for anything else.
    """
    status = _STATUSES[intent["status"]]
    if intent["status"] == "requires_payment_method" and intent.get("last_payment_error"):
        status = SessionStatus.ERROR
    received, capturable = int(intent["amount_received"]), int(intent["amount_capturable"])
    charge = intent.get("latest_charge")
    if isinstance(charge, dict):
        refunded = max(refunded, _refunded(charge))
    is_authorized = status in (SessionStatus.AUTHORIZED, SessionStatus.CAPTURED)
    return ProviderReport(
        status,
        {name: intent[name] for name in _KEPT if name in intent},
        authorized=_amount(received + capturable, intent) if is_authorized else None,
        captured=_amount(received, intent) if received else None,
        refunded=_amount(refunded, intent) if refunded else None,
    )


def report_of_charge(charge: StripeCharge) -> ProviderReport | None:
    """The report of a charge; None for one without captures, whose authorized amount was released.

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
    """The refunded part of what was captured: Stripe counts the released rest of a partial capture as refunded."""
    captured, refunded = int(charge["amount_captured"]), int(charge["amount_refunded"])
    released = int(charge["amount"]) - captured
    return min(captured, refunded - released if refunded >= released else refunded)


def _amount(units: int, thing: StripeIntent | StripeCharge) -> Decimal:
    whole = _session_amount(thing) if units == thing["amount"] else None
    return major(units, thing["currency"]) if whole is None else whole


def _session_amount(thing: StripeIntent | StripeCharge) -> Decimal | None:
    """The session's amount from the metadata, if it equals what Stripe charged: metadata can be edited at Stripe."""
    try:
        amount = Decimal(thing["metadata"]["amount"])
    except (KeyError, TypeError, InvalidOperation):
        return None
    return amount if amount.is_finite() and minor(amount, thing["currency"]) == thing["amount"] else None
