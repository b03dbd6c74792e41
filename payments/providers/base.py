"""What the shop asks of whoever takes payments. A provider of your own is a subclass of Provider that settings name.

settings.PAYMENT_PROVIDERS holds dotted names by provider id; the id also stands in the table of providers, where staff
switch it on and off, and in the regions where it may be chosen. One instance serves all requests of a process.

No method is called inside a transaction. `key` is the same whenever the same thing is asked again, because nobody
knows whether it was done: the provider has to do it once, and answer as it did. What it answers holds for ever;
whatever else it raises than Declined means that nobody knows, and it is asked again later. Every method has to give up
by itself on what does not answer, within settings.PAYMENT_PATIENCE.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from commerce.kit.core.json import JSONObject
from commerce.kit.core.metadata import fault
from commerce.kit.core.money import stored
from payments.states import SessionStatus


class Declined(Exception):
    """The provider does not do that; its text is told to whoever asked."""


class InvalidEvent(Exception):
    """The event does not bear the provider's signature."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What is to be paid, or was: a session.

    amount: in major units of the currency. data: what the provider has said of it before.
    sent: what the storefront sent along when the session was started.
    """

    session_id: str
    amount: Decimal
    currency_code: str
    cart_id: str
    customer_id: str | None
    data: JSONObject
    sent: JSONObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProviderReport:
    """How a session stands at the provider.

    data: kept with the session, in the place of what was there. authorized, captured, refunded: all in all, in major
    units; by default the whole amount, where the status says so, and nothing else.
    Raises ValueError for what cannot be kept, so that it is taken for no answer, and for no event.
    """

    status: SessionStatus
    data: JSONObject = field(default_factory=dict)
    authorized: Decimal | None = None
    captured: Decimal | None = None
    refunded: Decimal | None = None

    def __post_init__(self) -> None:
        if fault(self.data):
            raise ValueError(fault(self.data))
        for amount in (self.authorized, self.captured, self.refunded):
            if amount is not None and stored(amount) < 0:
                raise ValueError(amount)


class Action(StrEnum):
    """What an event tells. Source: behaviour.md, section 7."""

    AUTHORIZED = "authorized"
    CAPTURED = "captured"
    REFUNDED = "refunded"
    FAILED = "failed"
    PENDING = "pending"
    REQUIRES_MORE = "requires_more"
    CANCELED = "canceled"
    PENDING_AUTHORIZATION = "pending_authorization"
    NOT_SUPPORTED = "not_supported"


@dataclass(frozen=True, slots=True)
class Event:
    """What a provider tells by itself. id: its own name for it. session_id, report: not where it is not supported."""

    id: str
    action: Action
    session_id: str | None = None
    report: ProviderReport | None = None


class Provider(ABC):
    """Who takes payments."""

    @abstractmethod
    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        """Prepare a payment. Raises Declined."""

    @abstractmethod
    def authorize(self, charge: Charge, *, key: str) -> ProviderReport:
        """Promise the money, or say what is missing. Raises Declined."""

    @abstractmethod
    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """Take so much of what was promised. Raises Declined."""

    @abstractmethod
    def refund(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """Give so much of what was taken back. Raises Declined."""

    @abstractmethod
    def cancel(self, charge: Charge, *, key: str) -> ProviderReport:
        """Give the promise up. Raises Declined; where money was taken already, the report says so instead."""

    def shown(self, data: JSONObject) -> JSONObject:
        """What storefronts may see of what is kept. Source: behaviour.md 0.20."""
        return {}

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        """What a message to the provider's webhook says. headers: by lower-case names. Raises InvalidEvent."""
        raise InvalidEvent
