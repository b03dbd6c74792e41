"""Refunding the gift cards and store credit that paid for a canceled order. Source: orders.md D12, 8.2."""

from collections.abc import Mapping

from commerce.kit.core import raw_rows
from commerce.kit.core.money import major, stored
from giftcards.refunding import refund_accounts, unrefunded
from orders.models import GrantedRefund, Order, RefundPart
from orders.refunds.sources import payer_of

_NOTE = "The order was canceled"


def refund_credit(order: Order, *, keep: int, created_by: str | None) -> None:
    """Refund what gift cards and store credit paid and have not been refunded, except `keep`, in 1/10,000.

    order: locked. Raises AccountFull.
    """
    amounts = _without(unrefunded(payer_of(order.pk)), keep)
    if not amounts:
        return
    total = sum(amounts.values())
    refund = GrantedRefund.objects.create(order=order, amount=major(total), note=_NOTE, created_by=created_by)
    refund_accounts(amounts, payer=payer_of(order.pk), refund_id=refund.pk, created_by=created_by)
    RefundPart.objects.bulk_create(
        RefundPart(refund=refund, rank=rank, amount=major(amounts[key]), account_id=key)
        for rank, key in enumerate(amounts, start=1)
    )
    raw_rows.update(Order, [{"id": order.pk, "credit_refunded_total": stored(order.credit_refunded_total) + total}])


def _without(amounts: Mapping[str, int], keep: int) -> dict[str, int]:
    left = {}
    for key in sorted(amounts):
        kept = min(keep, amounts[key])
        keep -= kept
        if amounts[key] > kept:
            left[key] = amounts[key] - kept
    return left
