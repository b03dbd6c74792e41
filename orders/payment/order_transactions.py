"""The transactions of an order: what its payments captured and refunded."""

from typing import NamedTuple

from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.models import OrderTransaction
from orders.states import TransactionReference
from payments.models import Capture, Refund


class NewTransaction(NamedTuple):
    """A capture or a refund. amount: in 1/10,000 of the major unit; negative for a refund."""

    reference: TransactionReference
    reference_id: str
    amount: int


def add_transactions(order_id: str, *, currency_code: str, version: int) -> list[NewTransaction]:
    """Record the captures and refunds that are not recorded yet, and return them. The order is locked.

    version: of the order. Four statements.
    """
    known = {reference_id for (reference_id,) in _KNOWN.read([order_id])}
    moved = [
        *(NewTransaction(TransactionReference.CAPTURE, row.id, row.amount) for row in _CAPTURES.read([order_id])),
        *(NewTransaction(TransactionReference.REFUND, row.id, -row.amount) for row in _REFUNDS.read([order_id])),
    ]
    new = sorted((each for each in moved if each.reference_id not in known), key=lambda each: each.reference_id)
    moment = now()
    raw_rows.insert(
        OrderTransaction,
        [
            {
                "id": new_id("ordtrx"),
                "order_id": order_id,
                "amount": each.amount,
                "currency_id": currency_code,
                "reference": each.reference.value,
                "reference_id": each.reference_id,
                "version": version,
                "created_at": moment,
            }
            for each in new
        ],
    )
    return new


class _Moved(NamedTuple):
    id: str
    amount: int


_CAPTURES = KeyedRows(Capture.objects.all, key="payment__collection__order_id", row=_Moved)
_REFUNDS = KeyedRows(Refund.objects.all, key="payment__collection__order_id", row=_Moved)
_KNOWN = KeyedRows(OrderTransaction.objects.all, key="order_id", columns=("reference_id",))
