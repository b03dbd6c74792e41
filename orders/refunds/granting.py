"""Writing a refund of a locked order, with its parts, in the caller's transaction.

Why: docs/decisions/refunds.md#a-refund-of-an-order-has-parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from customers.models import Customer
from giftcards.ledger.refunding import refund_accounts, refund_as_store_credit
from kit.values.money import major, stored
from orders.common import events
from orders.common.locked_order import write
from orders.common.summary import balance_of
from orders.invoices.following import follow_value
from orders.models import GrantedRefund, Order, RefundPart
from orders.refunds.allowance import allowance_of
from orders.refunds.bought_cards import bought_value, cancel_cards_of
from orders.refunds.errors import BoughtCardsSpendable, RefundTooLarge, StoreCreditNeedsCustomer
from orders.refunds.sources import Source, open_refunds_of, payers_of, refundable, sources_of
from orders.states import InvoiceReason
from payments.movements.refunding import lock_payments_of
from payments.requests.intents import record_intent
from payments.states import Act


@dataclass(frozen=True, kw_only=True)
class RefundTerms:
    """What a refund is for, and who granted it; see GrantedRefund."""

    refund_reason_id: str | None = None
    return_id: str | None = None
    note: str | None = None
    to_store_credit: bool = False
    no_notification: bool | None = None
    created_by: str | None = None
    idempotency_digest: str | None = None


def grant(order: Order, amount: int, terms: RefundTerms, *, runs_now: bool) -> str:
    """Write the refund; returns its id. amount: in 1/10,000, above 0.

    Gift cards and store credit are refunded immediately. For payments, the requests to their providers are recorded.
    runs_now: whether the caller carries them out after the commit; if not, the background worker does.
    Gift cards that were bought with the order are canceled if the whole remaining amount is refunded; otherwise their
    price cannot be refunded. What is refunded beyond what was owed is credited by a document.
    Raises RefundTooLarge, BoughtCardsSpendable, BoughtCardRedeemed, GiftCardHeld, StoreCreditNeedsCustomer,
    AccountFull.
    """
    lock_payments_of(order.pk)
    sources = sources_of(order.pk)
    left = refundable(order.pk, sources)
    if amount > left:
        raise RefundTooLarge(major(left), order.currency_id)
    _settle_bought_cards(order, amount, left)
    allowance = allowance_of(balance_of(order), amount, open_refunds=open_refunds_of(order.pk))
    refund_id = write_refund(order, amount, terms, sources, allowance=allowance, runs_now=runs_now)
    if allowance and order.invoicing:
        follow_value(order.pk, reason=InvoiceReason.REFUND, is_mailed=not terms.no_notification)
    return refund_id


def write_refund(
    order: Order, amount: int, terms: RefundTerms, sources: Sequence[Source], *, allowance: int, runs_now: bool
) -> str:
    """Write a refund with parts for these sources, which cover the amount. Returns and raises as `grant`."""
    refund = GrantedRefund.objects.create(
        order=order, amount=major(amount), allowance=major(allowance), **asdict(terms)
    )
    if terms.to_store_credit:
        parts = [_store_credit_part(order, refund, amount)]
    else:
        taken = list(_taken(sources, amount))
        parts = [*_payment_parts(refund, taken, runs_now=runs_now), *_credit_parts(refund, taken)]
    for rank, part in enumerate(parts, start=1):
        part.rank = rank
    RefundPart.objects.bulk_create(parts)
    credited = [part for part in parts if part.account_id]
    _write_order(order, allowance, sum(stored(part.amount) for part in credited))
    if credited:
        events.credit_refunded(order.pk, refund.pk)
        events.money_returned([part.pk for part in credited])
    return str(refund.pk)


def _settle_bought_cards(order: Order, amount: int, left: int) -> None:
    spendable = bought_value(order.pk)
    if spendable and amount == left:
        cancel_cards_of(order.pk)
    elif amount > left - spendable:
        raise BoughtCardsSpendable(major(max(left - spendable, 0)), major(left), order.currency_id)


def _taken(sources: Sequence[Source], amount: int) -> Iterator[tuple[Source, int]]:
    for source in sources:
        part = min(source.amount, amount)
        if part:
            yield source, part
        amount -= part


def _payment_parts(
    refund: GrantedRefund, taken: Sequence[tuple[Source, int]], *, runs_now: bool
) -> Iterator[RefundPart]:
    for source, units in taken:
        if source.payment is not None:
            intent_id = record_intent(
                source.payment.session_id,
                Act.REFUND,
                runs_now=runs_now,
                amount=major(units),
                note=refund.note,
                refund_reason_id=refund.refund_reason_id,
                created_by=refund.created_by,
            )
            yield RefundPart(refund=refund, amount=major(units), payment_id=source.payment.id, intent_id=intent_id)


def _credit_parts(refund: GrantedRefund, taken: Sequence[tuple[Source, int]]) -> list[RefundPart]:
    amounts = {source.account_id: units for source, units in taken if source.account_id is not None}
    payers = payers_of(refund.order_id)
    refund_accounts(amounts, payers=payers, refund_id=refund.pk, created_by=refund.created_by)
    return [RefundPart(refund=refund, amount=major(units), account_id=key) for key, units in amounts.items()]


def _store_credit_part(order: Order, refund: GrantedRefund, amount: int) -> RefundPart:
    if not Customer.objects.not_deleted().filter(pk=order.customer_id, has_account=True).exists():
        raise StoreCreditNeedsCustomer
    account_id = refund_as_store_credit(
        amount,
        customer_id=str(order.customer_id),
        currency_code=order.currency_id,
        refund_id=refund.pk,
        created_by=refund.created_by,
    )
    return RefundPart(refund=refund, amount=refund.amount, account_id=account_id)


def _write_order(order: Order, allowance: int, credit: int) -> None:
    sums = {
        "allowance_total": stored(order.allowance_total) + allowance,
        "credit_refunded_total": stored(order.credit_refunded_total) + credit,
    }
    write(order, sums)
