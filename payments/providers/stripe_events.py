"""Events that Stripe sends to the shop's webhook."""

from collections.abc import Mapping
from typing import cast

from stripe import SignatureVerificationError, WebhookSignature

from kit.values import bounded_json
from kit.values.text import LONGEST, fault
from payments.providers.base import Action, Declined, Event, InvalidEvent, ProviderReport
from payments.providers.stripe_objects import StripeCharge, StripeEvent, StripeIntent
from payments.providers.stripe_reports import report_of, report_of_charge

TOLERANCE = 300
"""Seconds for which a signature is accepted; Stripe signs again when it resends an event."""

_OF_INTENTS = {
    "payment_intent.amount_capturable_updated": Action.AUTHORIZED,
    "payment_intent.succeeded": Action.CAPTURED,
    "payment_intent.payment_failed": Action.FAILED,
    "payment_intent.requires_action": Action.REQUIRES_MORE,
    "payment_intent.processing": Action.PENDING_AUTHORIZATION,
    "payment_intent.canceled": Action.CANCELED,
}
_OF_CHARGES = {"charge.refunded": Action.REFUNDED}


def read(body: bytes, headers: Mapping[str, str], *, secret: str) -> Event:
    """The event. headers: by lower-case names. Raises InvalidEvent, also for a signed body that is not an event."""
    try:
        WebhookSignature.verify_header(body, headers.get("stripe-signature"), secret, TOLERANCE)
        return _event(bounded_json.parse(body))
    except (SignatureVerificationError, Declined, AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidEvent from error


def _event(event: StripeEvent) -> Event:
    """Events of payments that this shop did not create are not supported."""
    event_id, kind = str(event["id"]), event["type"]
    if fault(event_id, longest=LONGEST, one_line=True):
        raise ValueError(event_id)
    action = _OF_INTENTS.get(kind) or _OF_CHARGES.get(kind)
    session_id = _session_id(event) if action else None
    report = _report(event) if session_id else None
    if action is None or report is None:
        return Event(event_id, Action.NOT_SUPPORTED)
    return Event(event_id, action, session_id, report)


def _session_id(event: StripeEvent) -> str | None:
    session_id = (event["data"]["object"].get("metadata") or {}).get("session_id")
    return session_id if isinstance(session_id, str) and fault(session_id) is None else None


def _report(event: StripeEvent) -> ProviderReport | None:
    subject = event["data"]["object"]
    if event["type"] in _OF_CHARGES:
        return report_of_charge(cast("StripeCharge", subject))
    return report_of(cast("StripeIntent", subject))
