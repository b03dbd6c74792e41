"""A small, honest Stripe: what its PaymentIntents, charges and refunds do, and what it tells of them.

Holds what its documentation says of the calls that the shop makes; whatever else is asked fails loudly.
"""

import copy
from itertools import count
from typing import Any

Thing = dict[str, Any]

DECLINES = {
    "pm_card_declined": ("card_declined", "Your card was declined."),
    "pm_card_poor": ("insufficient_funds", "Your card has insufficient funds."),
}
FAILING_REFUND = 6661
"""A refund of so much fails at the bank."""
_STEPS = {**dict.fromkeys("bhd jod kwd omr tnd".split(), 10), **dict.fromkeys("isk ugx".split(), 100)}
_CURRENCIES = {"usd", "eur", "jpy", "huf", "mga", *_STEPS}
_CANCELABLE = ("requires_payment_method", "requires_confirmation", "requires_action", "requires_capture")


class Refused(Exception):
    """An error of the API."""

    def __init__(self, message: str, *, code: str, status: int = 400, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"type": kind, "code": code, "message": message}}


class FakeStripe:
    """All that one account has. counts_releases: whether what a capture leaves is among the charge's refunds."""

    def __init__(self) -> None:
        self.intents: dict[str, Thing] = {}
        self.charges: dict[str, Thing] = {}
        self.refunds: list[Thing] = []
        self.events: list[Thing] = []
        self.counts_releases = True
        self._numbers = count(1)

    def create(self, form: Thing) -> Thing:
        amount, currency = int(form["amount"]), form["currency"]
        if currency not in _CURRENCIES:
            raise Refused(f"Invalid currency: {currency}.", code="parameter_invalid_string")
        if amount < 50 and currency not in ("jpy", "mga"):
            raise Refused("Amount must convert to at least 50 cents.", code="amount_too_small")
        _check_step(amount, currency)
        intent_id = self._new("pi")
        self.intents[intent_id] = {
            "id": intent_id,
            "object": "payment_intent",
            "amount": amount,
            "amount_capturable": 0,
            "amount_received": 0,
            "capture_method": form["capture_method"],
            "client_secret": f"{intent_id}_secret_hush",
            "currency": currency,
            "last_payment_error": None,
            "latest_charge": None,
            "metadata": form.get("metadata", {}),
            "payment_method": None,
            "status": "requires_payment_method",
        }
        return self.shown(intent_id, form)

    def shown(self, intent_id: str, form: Thing) -> Thing:
        intent = dict(self._intent(intent_id))
        if "latest_charge" in form.get("expand", {}).values() and intent["latest_charge"]:
            intent["latest_charge"] = dict(self.charges[intent["latest_charge"]])
        return intent

    def update(self, intent_id: str, form: Thing) -> Thing:
        """Metadata that are not named stay."""
        intent = self._in(intent_id, "update", "requires_payment_method", "requires_confirmation", "requires_action")
        amount = int(form["amount"])
        if amount < 50 and intent["currency"] not in ("jpy", "mga"):
            raise Refused("Amount must convert to at least 50 cents.", code="amount_too_small")
        _check_step(amount, intent["currency"])
        intent["amount"] = amount
        intent["metadata"] = {**intent["metadata"], **form.get("metadata", {})}
        return self.shown(intent_id, form)

    def confirm(self, intent_id: str, form: Thing) -> Thing:
        intent = self._in(intent_id, "confirm", "requires_confirmation")
        self.pay(intent_id, intent["payment_method"])
        error = intent["last_payment_error"]
        if error:
            raise Refused(error["message"], code=error["code"], status=402, kind="card_error")
        return self.shown(intent_id, form)

    def count_no_releases(self) -> None:
        self.counts_releases = False

    def attach(self, intent_id: str, method: str) -> None:
        """What waits for nothing but to be confirmed."""
        self._intent(intent_id).update(payment_method=method, status="requires_confirmation")

    def pay(self, intent_id: str, method: str) -> None:
        """What the shopper does in the storefront, with that payment method."""
        intent = self._intent(intent_id)
        intent.update(payment_method=method, last_payment_error=None)
        if method in DECLINES:
            code, message = DECLINES[method]
            intent.update(status="requires_payment_method", last_payment_error={"code": code, "message": message})
            self._send_event("payment_intent.payment_failed", intent)
        elif method == "pm_card_3ds":
            intent["status"] = "requires_action"
            self._send_event("payment_intent.requires_action", intent)
        elif method == "pm_bank":
            intent["status"] = "processing"
            self._send_event("payment_intent.processing", intent)
        else:
            self._charge(intent)

    def capture(self, intent_id: str, form: Thing) -> Thing:
        """What is not taken is released, and counted as refunded."""
        intent = self._in(intent_id, "capture", "requires_capture")
        amount = int(form.get("amount_to_capture", intent["amount_capturable"]))
        if amount > intent["amount_capturable"]:
            raise Refused("The amount to capture is greater than the amount authorized.", code="amount_too_large")
        _check_step(amount, intent["currency"])
        self._take(intent, amount)
        return self.shown(intent_id, form)

    def cancel(self, intent_id: str, form: Thing) -> Thing:
        intent = self._in(intent_id, "cancel", *_CANCELABLE)
        if intent["amount_capturable"]:
            self.charges[intent["latest_charge"]]["amount_refunded"] = intent["amount"]
        intent.update(status="canceled", amount_capturable=0)
        self._send_event("payment_intent.canceled", intent)
        return self.shown(intent_id, form)

    def refund(self, form: Thing) -> Thing:
        intent = self._intent(form["payment_intent"])
        charge = self.charges[intent["latest_charge"]]
        amount = int(form["amount"])
        if amount > charge["amount"] - charge["amount_refunded"]:
            raise Refused("Refund amount is greater than unrefunded amount on charge.", code="amount_too_large")
        _check_step(amount, intent["currency"])
        is_failing = amount == FAILING_REFUND
        refund = {
            "id": self._new("re"),
            "object": "refund",
            "amount": amount,
            "charge": charge["id"],
            "failure_reason": "expired_or_canceled_card" if is_failing else None,
            "metadata": form.get("metadata", {}),
            "payment_intent": intent["id"],
            "status": "failed" if is_failing else "succeeded",
        }
        self.refunds.insert(0, refund)
        if not is_failing:
            charge["amount_refunded"] += amount
            self._send_event("charge.refunded", charge)
        return refund

    def refunds_of(self, intent_id: str) -> Thing:
        found = [refund for refund in self.refunds if refund["payment_intent"] == intent_id]
        return {"object": "list", "data": found, "has_more": False, "url": "/v1/refunds"}

    def _charge(self, intent: Thing) -> None:
        charge_id = self._new("ch")
        self.charges[charge_id] = {
            "id": charge_id,
            "object": "charge",
            "amount": intent["amount"],
            "amount_captured": 0,
            "amount_refunded": 0,
            "currency": intent["currency"],
            "metadata": dict(intent["metadata"]),
            "payment_intent": intent["id"],
        }
        intent.update(latest_charge=charge_id, amount_capturable=intent["amount"], status="requires_capture")
        if intent["capture_method"] == "automatic":
            self._take(intent, intent["amount"])
        else:
            self._send_event("payment_intent.amount_capturable_updated", intent)

    def _take(self, intent: Thing, amount: int) -> None:
        charge = self.charges[intent["latest_charge"]]
        charge.update(amount_captured=amount, amount_refunded=charge["amount"] - amount if self.counts_releases else 0)
        intent.update(status="succeeded", amount_received=amount, amount_capturable=0)
        self._send_event("payment_intent.succeeded", intent)

    def _intent(self, intent_id: str) -> Thing:
        if intent_id not in self.intents:
            raise Refused(f"No such payment_intent: '{intent_id}'", code="resource_missing", status=404)
        return self.intents[intent_id]

    def _in(self, intent_id: str, act: str, *statuses: str) -> Thing:
        intent = self._intent(intent_id)
        if intent["status"] not in statuses:
            message = f"You cannot {act} this PaymentIntent because it has a status of {intent['status']}."
            raise Refused(message, code="payment_intent_unexpected_state")
        return intent

    def _new(self, prefix: str) -> str:
        return f"{prefix}_{next(self._numbers)}"

    def _send_event(self, kind: str, thing: Thing) -> None:
        reported = {"id": self._new("evt"), "object": "event", "type": kind, "data": {"object": copy.deepcopy(thing)}}
        self.events.append(reported)


def _check_step(amount: int, currency: str) -> None:
    step = _STEPS.get(currency, 1)
    if amount <= 0 or amount % step:
        raise Refused(f"Invalid amount: {amount} {currency}.", code="invalid_charge_amount_no_decimal_compatible")
