"""The rows of a payment collection that its changes depend on, raw and typed.

Amounts are integers of 1/10,000 major unit; moments are the database's text, or a datetime until they are stored.
"""

from dataclasses import dataclass, field
from datetime import datetime

from carts.pricing.tracked_rows import TrackedRow, TrackedTable
from kit.values.ids import new_id, new_secret_id
from kit.values.json import JSONObject
from kit.values.timestamps import now
from payments.models import Payment, PaymentCollection, PaymentSession
from payments.states import AWAITING, ENDED, CollectionStatus, SessionStatus

Moment = str | datetime | None


@dataclass(slots=True, eq=False)
class CollectionRow(TrackedRow):
    """The collection itself; see PaymentCollection."""

    cart_id: str | None
    order_id: str | None
    currency_id: str
    amount: int
    authorized_amount: int
    captured_amount: int
    refunded_amount: int
    returned_amount: int
    has_other_currency: bool
    status: str
    completed_at: Moment
    deleted_at: Moment

    @property
    def amount_due(self) -> int:
        """What remains to be captured."""
        return max(self.amount - self.captured_amount + self.returned_amount, 0)

    @property
    def is_covered(self) -> bool:
        """Whether authorized and captured money suffices for the amount."""
        return self.authorized_amount - self.returned_amount >= self.amount


@dataclass(slots=True, eq=False)
class PaymentRow(TrackedRow):
    """The payment of a session; see Payment."""

    session_id: str
    collection_id: str
    provider_id: str
    currency_id: str
    amount: int
    authorized_amount: int
    captured_amount: int
    refunded_amount: int
    returned_amount: int
    captured_at: Moment
    canceled_at: Moment

    @property
    def is_returned(self) -> bool:
        """Whether none of its captured money stays."""
        return 0 < self.captured_amount == self.returned_amount


@dataclass(slots=True, eq=False)
class SessionRow(TrackedRow):
    """A session; see PaymentSession. payment: None before it is authorized. is_capturing: a capture of it is open.

    amount: the last one that its provider is known to have. update_id: of the latest open intent that changes it.
    """

    collection_id: str
    provider_id: str
    currency_id: str
    amount: int
    data: JSONObject
    context: JSONObject
    status: str
    authorized_at: Moment
    deleted_at: Moment
    payment: PaymentRow | None = field(default=None, init=False)
    is_capturing: bool = field(default=False, init=False)
    update_id: str | None = field(default=None, init=False)

    @property
    def is_live(self) -> bool:
        return self.status not in ENDED

    @property
    def is_settled(self) -> bool:
        """Whether the shopper has done their part."""
        return self.status in _SETTLED

    @property
    def is_awaiting(self) -> bool:
        """Whether the shopper has not confirmed its amount, as far as is known here."""
        return self.status in AWAITING and self.payment is None

    @property
    def is_cancelable(self) -> bool:
        """Whether nothing was or is being captured of it."""
        return self.is_live and not self.is_capturing and not (self.payment and self.payment.captured_amount)


def new_collection(
    *, cart_id: str | None, order_id: str | None, amount: int, currency_code: str, is_completed: bool = False
) -> CollectionRow:
    """A collection without sessions."""
    return CollectionRow(
        id=new_secret_id("pay_col"),
        cart_id=cart_id,
        order_id=order_id,
        currency_id=currency_code,
        amount=amount,
        authorized_amount=0,
        captured_amount=0,
        refunded_amount=0,
        returned_amount=0,
        has_other_currency=False,
        status=(CollectionStatus.COMPLETED if is_completed else CollectionStatus.NOT_PAID).value,
        completed_at=now() if is_completed else None,
        deleted_at=None,
        constants={"metadata": None},
    )


def new_session(collection: CollectionRow, provider_id: str, *, context: JSONObject) -> SessionRow:
    """A session for the amount due, which its provider has not prepared yet."""
    return SessionRow(
        id=new_id("payses"),
        collection_id=collection.id,
        provider_id=provider_id,
        currency_id=collection.currency_id,
        amount=collection.amount_due,
        data={},
        context=context,
        status=SessionStatus.PENDING.value,
        authorized_at=None,
        deleted_at=None,
    )


_SETTLED = frozenset({SessionStatus.AUTHORIZED, SessionStatus.CAPTURED, SessionStatus.PENDING_AUTHORIZATION})
COLLECTIONS = TrackedTable(PaymentCollection, CollectionRow)
SESSIONS = TrackedTable(PaymentSession, SessionRow)
PAYMENTS = TrackedTable(Payment, PaymentRow)
