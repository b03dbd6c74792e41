"""Payments through Stripe: a PaymentIntent per session, which the storefront confirms with its client secret.

Needs the `stripe` extra. Stripe's API is that of the library's version. Source: https://docs.stripe.com/api.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import cast

import stripe
from django.conf import settings

from kit.values.json import JSONObject
from payments.providers import stripe_events
from payments.providers.base import Charge, Declined, Event, PaymentForm, Provider, ProviderReport
from payments.providers.stripe_amounts import minor
from payments.providers.stripe_objects import StripeIntent
from payments.providers.stripe_reports import report_of
from payments.states import SessionStatus

stripe.enable_telemetry = False
logging.getLogger("stripe").setLevel(logging.WARNING)  # lower levels log client secrets

_EXPANDED = ["latest_charge"]
_SHOWN = ("id", "client_secret", "status")
_SCRIPT = "https://js.stripe.com/v3/"
# Source: https://docs.stripe.com/security/guide#content-security-policy.
_FORM_SOURCES = {
    "script-src": ["https://js.stripe.com", "https://*.js.stripe.com"],
    "frame-src": ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
    "connect-src": ["https://api.stripe.com"],
}
# Failed and canceled refunds have returned no money.
_NO_REFUND = ("failed", "canceled")


class NoAnswer(Exception):
    """The outcome of a request to Stripe is unknown."""


class StripeProvider(Provider):
    """Reads STRIPE_SECRET_KEY and related settings once.

    A partial capture releases the rest: Stripe captures once.
    """

    def __init__(self) -> None:
        patience = settings.PAYMENT_PATIENCE.total_seconds()
        # No method sends more than three requests.
        waits = (patience / 20, patience / 5)
        client = stripe.StripeClient(
            settings.STRIPE_SECRET_KEY,
            base_addresses={"api": settings.STRIPE_API_BASE} if settings.STRIPE_API_BASE else {},
            max_network_retries=0,
            http_client=stripe.RequestsClient(timeout=waits),
        )
        self._intents, self._refunds = client.v1.payment_intents, client.v1.refunds

    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        """The metadata hold the session's amount, which stripe_reports reads."""
        units = _units(charge.amount, charge)
        with _translated_errors():
            intent = self._intents.create(
                {
                    "amount": units,
                    "currency": charge.currency_code,
                    "capture_method": settings.STRIPE_CAPTURE,
                    "automatic_payment_methods": {"enabled": True},
                    "metadata": {
                        "session_id": charge.session_id,
                        **({} if charge.cart_id is None else {"cart_id": charge.cart_id}),
                        "amount": str(charge.amount),
                    },
                },
                {"idempotency_key": key},
            )
        return _report(intent)

    def authorize(self, charge: Charge, *, key: str) -> ProviderReport:
        """Usually the storefront has confirmed the intent; one that still requires confirmation is confirmed here."""
        intent_id = _intent_id(charge)
        with _translated_errors():
            intent = self._retrieve(intent_id)
            if intent.status == "requires_confirmation":
                intent = self._intents.confirm(intent_id, {"expand": _EXPANDED}, {"idempotency_key": key})
        return _report(intent)

    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        intent_id, units = _intent_id(charge), _units(amount, charge)

        def send() -> stripe.PaymentIntent:
            return self._intents.capture(
                intent_id, {"amount_to_capture": units, "expand": _EXPANDED}, {"idempotency_key": key}
            )

        return self._final_report(intent_id, send, {"succeeded"})

    def refund(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """Stripe forgets idempotency keys after a day but never refunds, so each refund carries its key."""
        intent_id, units = _intent_id(charge), _units(amount, charge)
        with _translated_errors():
            refunds = list(self._refunds.list({"payment_intent": intent_id, "limit": 100}).data)
            made = next((refund for refund in refunds if _key(refund) == key), None)
            if made is None:
                made = self._refunds.create(
                    {"payment_intent": intent_id, "amount": units, "metadata": {"key": key}}, {"idempotency_key": key}
                )
                refunds.append(made)
            if made.status in _NO_REFUND:
                raise Declined(f"The refund failed: {made.failure_reason or made.status}")
            intent = self._retrieve(intent_id)
        ours = sum(refund.amount for refund in refunds if _key(refund) and refund.status not in _NO_REFUND)
        return _report(intent, refunded=ours)

    def cancel(self, charge: Charge, *, key: str) -> ProviderReport:
        if "id" not in charge.data:
            return ProviderReport(SessionStatus.CANCELED, charge.data)  # it was never created
        intent_id = _intent_id(charge)

        def send() -> stripe.PaymentIntent:
            return self._intents.cancel(intent_id, {"expand": _EXPANDED}, {"idempotency_key": key})

        return self._final_report(intent_id, send, {"canceled", "succeeded"})

    def update(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """The intent keeps its id and client secret, so that a form which shows them pays the new amount."""
        intent_id, units = _intent_id(charge), _units(amount, charge)

        def send() -> stripe.PaymentIntent:
            changed = {"amount": str(amount)}
            return self._intents.update(
                intent_id, {"amount": units, "metadata": changed, "expand": _EXPANDED}, {"idempotency_key": key}
            )

        return self._final_report(intent_id, send, {"processing", "requires_capture", "succeeded"})

    def retrieve(self, charge: Charge) -> ProviderReport | None:
        if "id" not in charge.data:
            return None  # it was never created, or its creation is not recorded yet
        intent_id = _intent_id(charge)
        with _translated_errors():
            intent = self._retrieve(intent_id)
        return _report(intent)

    def shown(self, data: JSONObject) -> JSONObject:
        return {name: data[name] for name in _SHOWN if name in data}

    def payment_form(self, data: JSONObject) -> PaymentForm | None:
        if not settings.STRIPE_PUBLISHABLE_KEY:
            return None
        values = {"publishable-key": settings.STRIPE_PUBLISHABLE_KEY, "client-secret": str(data.get("client_secret"))}
        return PaymentForm((_SCRIPT, "payments/stripe_form.js"), values, _FORM_SOURCES)

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        return stripe_events.read(body, headers, secret=settings.STRIPE_WEBHOOK_SECRET)

    def _final_report(
        self, intent_id: str, send: Callable[[], stripe.PaymentIntent], ends: Collection[str]
    ) -> ProviderReport:
        """Send the request; if it was already carried out, report the intent as it is."""
        with _translated_errors():
            try:
                intent = send()
            except (stripe.InvalidRequestError, stripe.APIError):
                intent = self._retrieve(intent_id)
                if intent.status not in ends:
                    raise
        return _report(intent)

    def _retrieve(self, intent_id: str) -> stripe.PaymentIntent:
        return self._intents.retrieve(intent_id, {"expand": _EXPANDED})


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Raises Declined for refusals, NoAnswer for unknown outcomes. Neither text holds what was sent."""
    try:
        yield
    except (stripe.CardError, stripe.InvalidRequestError) as refusal:
        raise Declined(refusal.user_message or refusal.code or "") from None
    except stripe.StripeError as failure:
        message = failure.error.message if failure.error else None
        parts = (type(failure).__name__, failure.http_status, failure.request_id, message)
        raise NoAnswer(" ".join(str(part) for part in parts if part)) from None


def _report(intent: stripe.PaymentIntent, *, refunded: int = 0) -> ProviderReport:
    return report_of(cast("StripeIntent", intent.to_dict()), refunded=refunded)


def _units(amount: Decimal, charge: Charge) -> int:
    units = minor(amount, charge.currency_code)
    if units <= 0:
        raise Declined(f"Stripe cannot process {amount} {charge.currency_code.upper()}")
    return units


def _intent_id(charge: Charge) -> str:
    intent_id = charge.data.get("id")
    if not isinstance(intent_id, str):
        raise Declined("This payment was never created at Stripe")
    return intent_id


def _key(refund: stripe.Refund) -> str | None:
    return refund.metadata["key"] if refund.metadata and "key" in refund.metadata else None
