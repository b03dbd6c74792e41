"""Store credit that pays for a placed order, and what is owed back as store credit.

Why: docs/decisions/orders.md#credit-lines-fit-what-is-owed.
"""

from decimal import Decimal

from django.db import transaction

from giftcards.errors import NoStoreCreditAccount
from giftcards.ledger import ledger
from giftcards.ledger.references import Reference
from giftcards.spending.cart_credit import PAID_BY_CARD, PAID_BY_STORE_CREDIT
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values import metadata as metadata_values
from kit.values.ids import ID_MAX_LENGTH, new_id
from kit.values.json import JSONObject
from kit.values.money import exact, major, rounded, stored
from kit.values.text import checked
from kit.values.written_amounts import written
from orders.common import events
from orders.common.locked_order import lock_order, write
from orders.common.outstanding import outstanding_of
from orders.common.summary import balance_of, pending_difference, total_to_pay
from orders.fulfillments.errors import OrderCanceled
from orders.managing import history
from orders.managing.errors import CreditLineExists, MoreThanOutstanding, MoreThanOwed, ReservedReference
from orders.models import Order, OrderCreditLine
from orders.payment.order_payments import follow_payments
from orders.refunds.errors import StoreCreditNeedsCustomer
from orders.refunds.granting import RefundTerms, grant
from orders.refunds.sources import CREDIT_LINE, open_refunds_of
from payments.movements.refunding import lock_payments_of

CREATING = "giftcards.add_transaction"
LONGEST_REFERENCE = 64


@transaction.atomic
def create(
    *,
    actor: Actor,
    order_id: str,
    amount: Decimal,
    reference: str = "order",
    reference_id: str | None = None,
    metadata: JSONObject | None = None,
) -> None:
    """Pay an amount of what the order still owes by its customer's store credit; a negative one is refunded to it.

    amount: in major units; at most what is outstanding and the balance, or what is owed to the customer. reference,
    reference_id: what it is for, once for an order; a negative amount does not store them.
    Raises OrderNotFound, OrderCanceled, MoreThanOutstanding, MoreThanOwed, StoreCreditNeedsCustomer,
    NoStoreCreditAccount, BalanceTooLow, CreditLineExists, ReservedReference, InvalidData, Forbidden.
    """
    actor.require(CREATING)
    order = lock_order(order_id)
    if order.is_canceled:
        raise OrderCanceled(order.pk)
    units = stored(exact(amount, order.currency_id))
    checked(reference, field="reference", longest=LONGEST_REFERENCE, may_be_blank=False)
    checked(reference_id or "", field="reference_id", longest=ID_MAX_LENGTH)
    if reference in (PAID_BY_CARD, PAID_BY_STORE_CREDIT):
        raise ReservedReference(reference)
    if not units:
        raise InvalidData("Field 'amount' must not be 0")
    lock_payments_of(order.pk)
    if units < 0:
        _give_back(order, -units, actor)
        return
    line_id = new_id("ordcl")
    named = {"reference": reference, "reference_id": reference_id or line_id}
    if OrderCreditLine.objects.filter(order=order, **named).exists():
        raise CreditLineExists(reference)
    _take(order, units, line_id, actor)
    OrderCreditLine.objects.create(
        id=line_id,
        order=order,
        amount=major(units),
        version=order.version + 1,
        metadata=metadata_values.checked(metadata),
        **named,
    )
    _add(order, units)
    follow_payments(order.pk)
    events.order_updated(order.pk)
    history.record(order, f"Paid {written(major(units), order.currency_id)} by store credit.", actor=actor)


def _take(order: Order, units: int, line_id: str, actor: Actor) -> None:
    """Debit the account of the order's customer, with the credit line as the payer."""
    left = outstanding_of(order)
    if units > left:
        raise MoreThanOutstanding(rounded(major(left), order.currency_id), order.currency_id)
    if order.customer is None or not order.customer.has_account:
        raise StoreCreditNeedsCustomer
    account = ledger.lock_account_of(str(order.customer_id), order.currency_id)
    if account is None:
        raise NoStoreCreditAccount(order.currency_id)
    ledger.debit(
        [(account, units)], entry=Reference(CREDIT_LINE, line_id), details=ledger.EntryDetails(created_by=actor.id)
    )


def _add(order: Order, units: int) -> None:
    """Add the credit to the totals of the locked order."""
    before, goods, shipping = (
        stored(getattr(order, name)) for name in ("credit_line_total", "item_total", "shipping_total")
    )
    credit = before + units
    original = order.original_credit_total
    columns = {
        "credit_line_total": credit,
        "original_credit_total": before if original is None else stored(original),
        "total": total_to_pay(goods, shipping, credit),
    }
    write(order, columns)


def _give_back(order: Order, units: int, actor: Actor) -> None:
    actor.require("payments.add_refund")
    owed = max(-pending_difference(balance_of(order)) - open_refunds_of(order.pk), 0)
    if units > owed:
        raise MoreThanOwed(rounded(major(owed), order.currency_id), order.currency_id)
    grant(order, units, RefundTerms(to_store_credit=True, created_by=actor.id), runs_now=False)
