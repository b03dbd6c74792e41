"""Descriptions of where a refund goes. The history stores them, so they contain no personal data."""

from collections.abc import Sequence

from giftcards.models import StoreCreditAccount
from kit.admin.lists.amounts import shown
from kit.values.money import major
from orders.models import GrantedRefund
from orders.refunds.refund_parts import status_note
from orders.refunds.sources import Source
from payments.models import Payment
from shop.provider_name import provider_name


def described(sources: Sequence[Source], currency_code: str) -> list[str]:
    """`35.00 usd by System default` for each source, in their order. Two statements."""
    payments = Payment.objects.in_bulk([each.payment.id for each in sources if each.payment])
    accounts = StoreCreditAccount.objects.in_bulk([each.account_id for each in sources if each.account_id])
    return [
        f"{shown(major(each.amount), currency_code)} "
        + _target(payments[each.payment.id] if each.payment else None, accounts.get(each.account_id or ""))
        for each in sources
    ]


def outcome(refund: GrantedRefund) -> tuple[list[str], bool]:
    """The result of each part, and whether all parts are done."""
    code = refund.order.currency_id
    parts = refund.parts.select_related("payment", "account", "intent").order_by("rank")
    texts, is_done = [], True
    for part in parts:
        note = status_note(part)
        is_done = is_done and not note
        text = f"{shown(part.amount, code)} {_target(part.payment, part.account)}"
        texts.append(f"{text} ({note})" if note else text)
    return texts, is_done


def _target(payment: Payment | None, account: StoreCreditAccount | None) -> str:
    if payment is not None:
        return f"by {provider_name(payment.provider_id)}"
    if account is not None and account.customer_id is not None:
        return "to the customer's store credit"
    return "to the gift card that paid"
