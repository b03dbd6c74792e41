"""The interface of payment providers. Your own provider is a subclass of Provider that settings name.

settings.PAYMENT_PROVIDERS maps provider ids to dotted class names. The id must also be a row of the providers table,
where staff enable it, and be assigned to the regions that offer it. One instance serves all requests of a process.

No method is called inside a transaction, except those of a local provider. `key` is an
idempotency key: a retry of the same request, whose outcome is unknown, has the same key, and the provider must carry it
out once and return the same report. Declined is final; any other exception means that the outcome is unknown, and the
request is retried. Every method must time out within settings.PAYMENT_PATIENCE.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar

from kit.values.json import JSONObject
from kit.values.metadata import fault
from kit.values.money import stored
from payments.states import SessionStatus


class Declined(Exception):
    """The provider refuses the request. The caller sees the text."""


class InvalidEvent(Exception):
    """The event is not signed by the provider, or not an event."""


@dataclass(frozen=True, slots=True)
class Charge:
    """The payment session that a request is about.

    amount: in major units of the currency. data: from the provider's last report.
    cart_id: None of what an order still has to pay.
    sent: what the storefront sent when it created the session.
    """

    session_id: str
    amount: Decimal
    currency_code: str
    cart_id: str | None
    customer_id: str | None
    data: JSONObject
    sent: JSONObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProviderReport:
    """The state of a session at the provider.

    data: replaces the session's data. authorized, captured, refunded: totals in major units; by default the whole
    amount if the status implies it.
    Raises ValueError for values that cannot be stored: such a report counts as a failed request.
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
    """The kinds of events."""

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
    """An event from a provider. id: the provider's own. session_id, report: None for events that are not supported."""

    id: str
    action: Action
    session_id: str | None = None
    report: ProviderReport | None = None


@dataclass(frozen=True, slots=True)
class PaymentForm:
    """How the shop's own payment page takes a payment by the provider. Without scripts, it is a button.

    A click on the button has the provider authorize the session. scripts: the URL of the provider's script; then the
    name of a static file, which uses it. values: what that reads, as `data-` attributes of the form; everyone who has
    the link sees them. sources: what the page's Content-Security-Policy must allow for the scripts, by directive.
    """

    scripts: Sequence[str] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)


class Provider(ABC):
    """A payment provider.

    is_local: whether start, authorize, capture, refund and cancel call nothing outside of the process and keep their
    state in the reported data, so that they may run inside a transaction, and be undone with it. A subclass does not
    inherit it: each such class has to declare it itself.
    """

    is_local: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: object) -> None:
        """A subclass of a local provider may call a service."""
        super().__init_subclass__(**kwargs)
        cls.is_local = bool(vars(cls).get("is_local", False))

    @abstractmethod
    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        """Prepare a payment. Raises Declined."""

    @abstractmethod
    def authorize(self, charge: Charge, *, key: str) -> ProviderReport:
        """Authorize the amount, or report what is missing. Raises Declined."""

    @abstractmethod
    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """Capture the amount. Raises Declined."""

    @abstractmethod
    def refund(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """Refund the amount. Raises Declined."""

    @abstractmethod
    def cancel(self, charge: Charge, *, key: str) -> ProviderReport:
        """Release the authorized amount. Raises Declined. Money that is already captured is reported instead."""

    def update(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        """Change the amount of a payment that the shopper has not confirmed, from that of `charge` to `amount`.

        A payment that is confirmed already keeps its amount, and is reported as it is. A provider with this method
        names the amounts in all of its reports and events: while the amount changes, the shop cannot tell which one
        the shopper confirms. Raises Declined: then, and for a provider without this method, the payment is canceled
        and another one started. A local provider starts the same session again.
        Why: docs/decisions/payments.md#an-open-session-follows-the-amount.
        """
        raise Declined

    def retrieve(self, charge: Charge) -> ProviderReport | None:
        """The state of the session at the provider; None if the provider cannot say. Changes nothing there.

        Asked before a cart is completed, since the event that reports the payment may still be on its way.
        Raises Declined for a session that the provider does not know.
        """
        return None

    def shown(self, data: JSONObject) -> JSONObject:
        """The part of the session's data that storefronts may see.

        Why: docs/decisions/payments.md#storefronts-see-what-providers-call-public.
        """
        return {}

    def payment_form(self, data: JSONObject) -> PaymentForm | None:
        """What the shop's own payment page shows; None if it cannot take payments by this provider.

        data: of the session; empty while none is started. Why: docs/decisions/payments.md#links-let-customers-pay.
        """
        return None

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        """Read a request to the provider's webhook. Raises InvalidEvent.

        body: as it was sent, of any content type. Check its signature before parsing it. headers: by lower-case names.
        """
        raise InvalidEvent
