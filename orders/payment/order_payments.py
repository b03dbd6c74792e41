"""What an order follows of its payments: its transactions, its sums and its payment status.

Callers hold a transaction, and have locked the order, or its cart before there is an order.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.db.models import QuerySet

from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.money import major
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.summary import BALANCE_COLUMNS, BALANCES, Balance, outstanding, payments_due, pending_difference
from orders.invoices.following import CAPTURE, documents_last, follow_value, is_first_due
from orders.models import Order
from orders.payment.gift_card_issue import issue_bought_cards
from orders.payment.order_transactions import NewTransaction, add_transactions
from orders.payment.payment_status import Paid, payment_status
from orders.refunds.order_cancellation import refund_payments
from orders.refunds.recording import record_payment_refunds
from orders.states import InvoiceReason, PaymentStatus, TransactionReference
from payments.collections.collection_rows import CollectionRow
from payments.collections.locked_collection import LockedCollection
from payments.lifecycle.order_collection import ask_for, unpaid_collection
from payments.lifecycle.release import release_authorizations
from payments.models import PaymentCollection, PaymentSession
from payments.states import UNPAID, SessionStatus


@dataclass(frozen=True, slots=True)
class PaymentState:
    """How the payments of an order stand. sessions: the statuses of those that are not canceled.

    authorized, captured, refunded: all of it, in 1/10,000. returned: captured money that an earlier attempt of the cart
    gave back, or still has to. asked: by collections that hold no money.
    """

    authorized: int
    captured: int
    refunded: int
    returned: int
    asked: int
    sessions: list[SessionStatus]

    @property
    def held(self) -> int:
        """What is authorized and not captured."""
        return self.authorized - self.captured

    def status(self, due: int, *, is_canceled: bool = False) -> PaymentStatus:
        """The payment status of an order. due: what its payments have to cover, in 1/10,000."""
        kept = Paid(due, self.authorized, self.captured - self.returned, max(self.refunded - self.returned, 0))
        return payment_status(kept, self.sessions, is_canceled=is_canceled)

    def is_captured(self, due: int) -> bool:
        """Whether at least what is due is captured."""
        return self.captured - self.returned >= due


def payment_state_of(order_id: str) -> PaymentState:
    """The state of the collections of an order, which may not be stored yet. Two statements."""
    return payment_states_of([order_id])[order_id]


def payment_states_of(order_ids: Sequence[str]) -> Mapping[str, PaymentState]:
    """The same of several orders, by id. Two statements."""
    rows: dict[str, list[_Sums]] = defaultdict(list)
    statuses: dict[str, list[str]] = defaultdict(list)
    for order_id, *sums in _COLLECTIONS.read(order_ids):
        rows[order_id].append(_Sums(*sums))
    for order_id, status in _SESSIONS.read(order_ids):
        statuses[order_id].append(status)
    return {order_id: _state(rows[order_id], statuses[order_id]) for order_id in order_ids}


def payment_state_in(collection: LockedCollection) -> PaymentState:
    """The same of the one collection of a new order, as it has just been written. No statement."""
    row = collection.row
    sums = _Sums(*(getattr(row, name) for name in _Sums._fields))
    living = [session.status for session in collection.sessions if session.status != SessionStatus.CANCELED]
    return _state([sums], living)


def _state(rows: "Sequence[_Sums]", statuses: Sequence[str]) -> PaymentState:
    return PaymentState(
        authorized=sum(row.authorized_amount for row in rows),
        captured=sum(row.captured_amount for row in rows),
        refunded=sum(row.refunded_amount for row in rows),
        returned=sum(row.returned_amount for row in rows),
        asked=sum(row.amount for row in rows if row.status in UNPAID and not row.authorized_amount),
        sessions=[SessionStatus(status) for status in statuses],
    )


def lock_order_of(cart_id: str) -> None:
    """Lock the order of the cart, if there is one: payments call this before they lock a collection."""
    _LOCKED_BY_CART.read([cart_id])


def lock_order_with_id(order_id: str) -> None:
    """Lock the order: payments call this before they lock a collection of it that has no cart."""
    _LOCKED.read([order_id])


def due_of(order_id: str) -> Decimal:
    """What the customer still owes, in major units; nothing of an order whose goods came back. One statement."""
    (balance,) = BALANCES.read([order_id])
    return major(max(pending_difference(balance), 0))


def follow_collection(collection: CollectionRow) -> None:
    """Follow what was recorded of an order's collection. The order is locked."""
    if collection.order_id is not None:
        follow_payments(collection.order_id)


@documents_last()
def follow_payments(order_id: str, *, reason: InvoiceReason | None = None, is_mailed: bool = True) -> None:
    """Record the captures and refunds of the order's payments, and its sums, allowance and payment status.

    Due is the order's total; the shipping of a return counts from its first receipt on. Gift cards that were bought are
    issued once the order is fully captured. What a canceled order still captures is refunded. What payments hold
    although nothing is due is released, and the unpaid collection asks for no more than what is outstanding. The
    order's documents follow its value, last of all (orders/invoices). Repeating it changes nothing.
    reason: of documents, if the caller has changed the value; else they are of a sale or a refund.
    is_mailed: whether the customer gets emails about the documents, unless they are of refunds alone that send none.
    """
    (order,) = _LOCKED.read([order_id])
    added = add_transactions(order_id, currency_code=order.currency_id, version=order.version)
    is_canceled = order.canceled_at is not None
    if is_canceled and any(each.reference is TransactionReference.CAPTURE for each in added):
        refund_payments(order_id)
    state = payment_state_of(order_id)
    raised, is_silent = _recorded(order_id, added, state)
    if not is_canceled and (state.held > 0 or state.asked):
        state = _settled(order, state, _unsettled(order, state, raised))
    due = payments_due(order.total, order.return_shipping_due, order.agreed_return_total)
    after = state.status(due, is_canceled=is_canceled)
    if added or after != order.payment_status:
        row = {
            "id": order_id,
            "paid_total": state.captured,
            "refunded_total": state.refunded,
            "allowance_total": order.allowance_total + raised,
            "payment_status": after.value,
        }
        raw_rows.update(Order, [{**row, "updated_at": now()}])
    if state.is_captured(due) and after not in _WITHOUT_CARDS:  # a refund before the last capture hides `captured`
        issue_bought_cards(order_id)
    if order.invoicing or (not is_canceled and _is_first_due(order, state, after, added)):
        follow_value(order_id, reason=reason or InvoiceReason.REFUND, is_mailed=is_mailed and not is_silent)


def _is_first_due(
    order: "_OrderRow", state: PaymentState, after: PaymentStatus, added: Sequence[NewTransaction]
) -> bool:
    """Whether this is a capture of what the order keeps, or everything was paid by other means.

    An order that has kept captures was invoiced with the first one, or elsewhere before the shop wrote invoices.
    """
    if state.captured > state.returned:
        return any(each.reference is TransactionReference.CAPTURE for each in added) and is_first_due(CAPTURE)
    return after is PaymentStatus.CAPTURED and after != order.payment_status and is_first_due(CAPTURE)


def _recorded(order_id: str, added: Sequence[NewTransaction], state: PaymentState) -> tuple[int, bool]:
    """By how much the added refunds raise the allowance, and whether nothing but refunds without an email was added."""
    refund_ids = [each.reference_id for each in added if each.reference == TransactionReference.REFUND]
    if not refund_ids:
        return 0, False
    raised, is_silent = record_payment_refunds(order_id, refund_ids, paid=state.captured, refunded=state.refunded)
    return raised, is_silent and len(refund_ids) == len(added)


def _settled(order: "_OrderRow", state: PaymentState, left: int) -> PaymentState:
    """Release and ask for no more than is left to pay; returns the state after it."""
    if state.held > 0 and left <= 0:
        release_authorizations(order.id)
        state = payment_state_of(order.id)
    most = outstanding(left, state.held)
    unpaid = unpaid_collection(order.id) if state.asked > most else None
    if unpaid is None or not unpaid.is_unpaid:
        return state
    ask_for(unpaid, most)
    return payment_state_of(order.id)


def _unsettled(order: "_OrderRow", state: PaymentState, raised: int) -> int:
    """The pending difference if all returns but agreed ones are canceled. raised: by how much the allowance rises."""
    balance = order.balance._replace(
        paid=state.captured,
        refunded=state.refunded,
        allowance=order.allowance_total + raised,
        requested=order.agreed_return_total,
    )
    return pending_difference(balance)


class _Sums(NamedTuple):
    """The sums of one payment collection, in 1/10,000, and its status."""

    amount: int
    status: str
    authorized_amount: int
    captured_amount: int
    refunded_amount: int
    returned_amount: int


class _OrderRow(NamedTuple):
    """Amounts are in 1/10,000; canceled_at is the database's text."""

    id: str
    currency_id: str
    version: int
    total: int
    payment_status: str
    invoicing: str | None
    canceled_at: str | None
    item_total: int
    shipping_total: int
    credit_line_total: int
    paid_total: int
    refunded_total: int
    credit_refunded_total: int
    allowance_total: int
    requested_return_total: int
    return_shipping_due: int
    agreed_return_total: int

    @property
    def balance(self) -> Balance:
        return Balance(*(getattr(self, name) for name in BALANCE_COLUMNS))


def _of_order() -> "QuerySet[PaymentSession]":
    living: QuerySet[PaymentSession] = PaymentSession.objects.exclude(status=SessionStatus.CANCELED)
    return living


_LOCKED = KeyedRows(Order.objects.all, key="id", row=_OrderRow, locked=True)
_LOCKED_BY_CART = KeyedRows(Order.objects.all, key="cart_id", columns=("id",), locked=True)
_COLLECTIONS = KeyedRows(
    PaymentCollection.objects.not_deleted,
    key="order_id",
    columns=("order_id", *_Sums._fields),
)
_WITHOUT_CARDS = frozenset({PaymentStatus.REFUNDED, PaymentStatus.CANCELED})
_SESSIONS = KeyedRows(_of_order, key="collection__order_id", columns=("collection__order_id", "status"))
