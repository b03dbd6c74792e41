"""The parts of Stripe's objects that the shop reads, as plain JSON. Source: https://docs.stripe.com/api."""

from typing import Literal, NotRequired, TypedDict

from kit.values.json import JSONObject


class StripeMetadata(TypedDict, total=False):
    """What `StripeProvider.start` attaches. Anyone with access to Stripe's dashboard can edit it."""

    session_id: str
    cart_id: str
    amount: str


class StripeCharge(TypedDict):
    """A charge. Amounts are in Stripe's units."""

    payment_intent: str
    currency: str
    amount: int
    amount_captured: int
    amount_refunded: int
    metadata: NotRequired[StripeMetadata]


class StripeIntent(TypedDict):
    """A PaymentIntent. Amounts are in Stripe's units. latest_charge: an id unless it was expanded."""

    id: str
    client_secret: NotRequired[str]
    status: str
    currency: str
    amount: int
    amount_capturable: int
    amount_received: int
    last_payment_error: NotRequired[JSONObject | None]
    latest_charge: NotRequired[StripeCharge | str | None]
    metadata: NotRequired[StripeMetadata]


IntentField = Literal["id", "client_secret", "status", "currency", "amount", "amount_capturable", "amount_received"]
"""The fields of a PaymentIntent that are stored with the session."""


class StripeEventData(TypedDict):
    """What an event is about."""

    object: StripeIntent | StripeCharge


class StripeEvent(TypedDict):
    """What Stripe sends to the webhook."""

    id: str
    type: str
    data: StripeEventData
