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
from orders.common.summary import BALANCE_COLUMNS, BALANCES, Balance, pending_difference
from orders.models import Order
from orders.payment.gift_card_issue import issue_bought_cards
from orders.payment.order_transactions import NewTransaction, add_transactions
from orders.payment.payment_status import Paid, payment_status
from orders.refunds.order_cancellation import refund_payments
from orders.refunds.recording import record_payment_refunds
from orders.states import PaymentStatus, TransactionReference
from payments.collections.collection_rows import CollectionRow
from payments.collections.locked_collection import LockedCollection
from payments.lifecycle.release import release_authorizations
from payments.models import PaymentCollection, PaymentSession
from payments.states import SessionStatus


@dataclass(frozen=True, slots=True)
class PaymentState:
    """How the payments of an order stand. sessions: the statuses of those that are not canceled.

    captured, refunded: all of it, in 1/10,000. paid: without money that an earlier attempt of the cart returned.
    """

    captured: int
    refunded: int
    paid: Paid
    sessions: list[SessionStatus]


def payment_state_of(order_id: str) -> PaymentState:
    """The state of the collections of an order, which may not be stored yet. Two statements."""
    return payment_states_of([order_id])[order_id]


def payment_states_of(order_ids: Sequence[str]) -> Mapping[str, PaymentState]:
    """The same of several orders, by id. Two statements."""
    sums: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    statuses: dict[str, list[str]] = defaultdict(list)
    for order_id, *row in _COLLECTIONS.read(order_ids):
        sums[order_id].append(tuple(row))
    for order_id, status in _SESSIONS.read(order_ids):
        statuses[order_id].append(status)
    return {order_id: _state(sums[order_id], statuses[order_id]) for order_id in order_ids}


def payment_state_in(collection: LockedCollection) -> PaymentState:
    """The same of the one collection of a new order, as it has just been written. No statement."""
    row = collection.row
    sums = (row.amount, row.authorized_amount, row.captured_amount, row.refunded_amount, row.returned_amount)
    living = [session.status for session in collection.sessions if session.status != SessionStatus.CANCELED]
    return _state([sums], living)


def _state(rows: Sequence[tuple[int, ...]], statuses: Sequence[str]) -> PaymentState:
    due, authorized, captured, refunded, returned = (sum(column) for column in zip(_NOTHING, *rows, strict=True))
    paid = Paid(due, authorized, captured - returned, max(refunded - returned, 0))
    return PaymentState(captured, refunded, paid, [SessionStatus(status) for status in statuses])


def still_due(state: PaymentState, worth: int) -> Paid:
    """The sums with what payments have to pay once goods came back. worth: of the order then, in 1/10,000."""
    return state.paid._replace(due=min(state.paid.due, worth))


def lock_order_of(cart_id: str) -> None:
    """Lock the order of the cart, if there is one: payments call this before they lock a collection."""
    _LOCKED_BY_CART.read([cart_id])


def due_of(order_id: str) -> Decimal:
    """What the customer still owes, in major units; nothing of an order whose goods came back. One statement."""
    (balance,) = BALANCES.read([order_id])
    return major(max(pending_difference(balance), 0))


def follow_collection(collection: CollectionRow) -> None:
    """Follow what was recorded of an order's collection. The order is locked."""
    if collection.order_id is not None:
        follow_payments(collection.order_id)


def follow_payments(order_id: str) -> None:
    """Record the captures and refunds of the order's payments, and its sums, allowance and payment status.

    Due is the collection's amount, or the order's total if goods came back and it is less; the shipping of a return
    counts from its first receipt on. Gift cards that were bought are issued once the order is fully captured. What a
    canceled order still captures is refunded. What payments hold although nothing is due is released. Repeating it
    changes nothing.
    """
    (order,) = _LOCKED.read([order_id])
    added = add_transactions(order_id, currency_code=order.currency_id, version=order.version)
    is_canceled = order.canceled_at is not None
    if is_canceled and any(each.reference is TransactionReference.CAPTURE for each in added):
        refund_payments(order_id)
    state = payment_state_of(order_id)
    raised = _raised_allowance(order_id, added, state)
    if not is_canceled and state.paid.authorized > state.captured and _is_settled(order, state, raised):
        release_authorizations(order_id)
        state = payment_state_of(order_id)
    paid = still_due(state, order.total - order.return_shipping_due)
    after = payment_status(paid, state.sessions, is_canceled=is_canceled)
    if added or after != order.payment_status:
        row = {
            "id": order_id,
            "paid_total": state.captured,
            "refunded_total": state.refunded,
            "allowance_total": order.allowance_total + raised,
            "payment_status": after.value,
        }
        raw_rows.update(Order, [{**row, "updated_at": now()}])
    if paid.captured >= paid.due and after not in _WITHOUT_CARDS:  # a refund before the last capture hides `captured`
        issue_bought_cards(order_id)


def _raised_allowance(order_id: str, added: Sequence[NewTransaction], state: PaymentState) -> int:
    refund_ids = [each.reference_id for each in added if each.reference == TransactionReference.REFUND]
    if not refund_ids:
        return 0
    return record_payment_refunds(order_id, refund_ids, paid=state.captured, refunded=state.refunded)


def _is_settled(order: "_OrderRow", state: PaymentState, raised: int) -> bool:
    """Whether nothing is due, even if all requested returns are canceled. raised: by how much the allowance rises."""
    balance = order.balance._replace(
        paid=state.captured, refunded=state.refunded, allowance=order.allowance_total + raised, requested=0
    )
    return pending_difference(balance) <= 0


class _OrderRow(NamedTuple):
    """Amounts are in 1/10,000; canceled_at is the database's text."""

    id: str
    currency_id: str
    version: int
    total: int
    payment_status: str
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
    columns=("order_id", "amount", "authorized_amount", "captured_amount", "refunded_amount", "returned_amount"),
)
_WITHOUT_CARDS = frozenset({PaymentStatus.REFUNDED, PaymentStatus.CANCELED})
_NOTHING = (0, 0, 0, 0, 0)
_SESSIONS = KeyedRows(_of_order, key="collection__order_id", columns=("collection__order_id", "status"))
