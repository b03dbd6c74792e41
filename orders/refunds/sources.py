"""What of an order can be refunded, and in which sequence.

Why: docs/decisions/refunds.md#refunds-go-to-payments-first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import F, Sum

from giftcards.ledger.references import Reference
from giftcards.ledger.refunding import unrefunded
from giftcards.models import StoreCreditAccount
from giftcards.spending.holds import ORDER
from kit.values.money import major, stored
from orders.models import OrderCreditLine, RefundPart
from orders.refunds.bought_cards import bought_value
from payments.models import Intent
from payments.movements.refunding import RefundablePayment, refundable_payments
from payments.states import Act

CREDIT_LINE = "order_credit_line"
"""The kind of payer that a credit line is which was added to a placed order."""


@dataclass(frozen=True, slots=True)
class Source:
    """A payment, or the account that a gift card or store credit paid from. amount: in 1/10,000, not yet refunded."""

    amount: int
    payment: RefundablePayment | None = None
    account_id: str | None = None


def sources_of(order_id: str) -> list[Source]:
    """Payments, the most recently captured one first; then the accounts of guests' gift cards; then customers'."""
    payments = [Source(payment.amount, payment=payment) for payment in refundable_payments(order_id)]
    spent = unrefunded(*payers_of(order_id))
    accounts = StoreCreditAccount.objects.filter(pk__in=spent).order_by(F("customer").asc(nulls_first=True), "pk")
    ids = accounts.values_list("pk", flat=True)
    return payments + [Source(spent[account_id], account_id=account_id) for account_id in ids]


def refundable(order_id: str, sources: Sequence[Source]) -> int:
    """In 1/10,000, without what was already refunded as store credit instead of to the sources."""
    given = RefundPart.objects.filter(refund__order=order_id, refund__to_store_credit=True)
    as_store_credit = given.aggregate(sum=Sum("amount"))["sum"] or Decimal(0)
    return max(sum(source.amount for source in sources) - stored(as_store_credit), 0)


def refundable_of(order_id: str) -> Decimal:
    """The same in major units, without the price of bought gift cards (see payments/collections/order_steps.py)."""
    return major(max(refundable(order_id, sources_of(order_id)) - bought_value(order_id), 0))


def open_refunds_of(order_id: str) -> int:
    """What payment providers were asked to refund and have not reported yet, in 1/10,000."""
    unreported = Intent.objects.filter(
        session__collection__order_id=order_id, act=Act.REFUND, done_at=None, refund=None
    )
    return stored(unreported.aggregate(sum=Sum("amount"))["sum"] or Decimal(0))


def credit_refunds_of(refund_reason_id: str) -> int:
    """The number of refunds to gift cards or store credit with that reason (payments/collections/order_steps.py)."""
    named = RefundPart.objects.filter(refund__refund_reason=refund_reason_id, payment=None)
    return named.values("refund").distinct().count()


def payers_of(order_id: str) -> list[Reference]:
    """The order as the ledger knows it, and its credit lines that were added later. One statement.

    Why: docs/decisions/refunds.md#credit-is-debited-for-the-order-not-the-cart.
    """
    later = OrderCreditLine.objects.filter(order=order_id, version__gt=1).order_by("pk").values_list("pk", flat=True)
    return [Reference(ORDER, order_id), *(Reference(CREDIT_LINE, line_id) for line_id in later)]
