"""Descriptions of where a refund goes. The history stores them, so they contain no personal data."""

from collections.abc import Sequence

from commerce.kit.admin.amounts import shown
from commerce.kit.core.money import major
from giftcards.models import StoreCreditAccount
from orders.models import GrantedRefund, RefundPart
from orders.refunds.sources import Source
from payments.models import Payment
from payments.states import Result


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
        status = _status(part)
        is_done = is_done and not status
        texts.append(f"{shown(part.amount, code)} {_target(part.payment, part.account)}{status}")
    return texts, is_done


def provider_name(provider_id: str) -> str:
    """`System default` for `pp_system_default`."""
    return " ".join(dict.fromkeys(provider_id.removeprefix("pp_").split("_"))).capitalize()


def _target(payment: Payment | None, account: StoreCreditAccount | None) -> str:
    if payment is not None:
        return f"by {provider_name(payment.provider_id)}"
    if account is not None and account.customer_id is not None:
        return "to the customer's store credit"
    return "to the gift card that paid"


def _status(part: RefundPart) -> str:
    intent = part.intent
    if intent is None or intent.result == Result.DONE:
        return ""
    return f" (refused: {intent.error})" if intent.result else " (no answer yet; it will be retried)"
