"""Payments and refunds of an order."""

from collections.abc import Iterator, Sequence

from django.utils.html import format_html

from commerce.kit.admin.page_table import NOTHING, PageTable
from commerce.kit.admin.row_link import row_link
from commerce.kit.admin.timeline import stamp
from orders.admin.columns import worth
from orders.admin.forms.refund_sources import provider_name
from orders.admin.order_page.facts import Facts
from orders.admin.order_page.formatting import account_name, buttons, stacked
from orders.admin.order_page.items import credit_name
from orders.models import GrantedRefund, OrderPayment, RefundPart
from orders.states import RefundPartStatus
from payments.states import Result


def payments(facts: Facts) -> PageTable:
    """The table of payments, gift cards and store credit."""
    return PageTable(
        "Payment",
        ("Paid by", "Authorized", "Captured", "Refunded", "When", ""),
        [*_by_providers(facts), *_by_credit(facts)],
        amounts=("Authorized", "Captured", "Refunded"),
    )


def _by_providers(facts: Facts) -> Iterator[Sequence[str]]:
    for payment in facts.payments:
        amounts = (payment.authorized_amount, payment.captured_amount, payment.refunded_amount)
        yield (
            format_html("<strong>{}</strong>{}", _payment_link(payment), " (canceled)" if payment.canceled_at else ""),
            *(worth(amount, payment.currency_id) if amount else NOTHING for amount in amounts),
            stamp(payment.created_at),
            buttons(facts.actions_about(payment.pk)),
        )


def _by_credit(facts: Facts) -> Iterator[Sequence[str]]:
    for line in facts.credit_lines:
        amount = worth(line.amount, facts.order.currency_id)
        yield credit_name(facts, line), NOTHING, amount, NOTHING, stamp(line.created_at), ""


def refunds(facts: Facts) -> PageTable:
    """The table of refunds, with their parts."""
    return PageTable(
        "Refunds",
        ("Amount", "Why", "To", "By", "When"),
        [
            (
                format_html("<strong>{}</strong>", worth(refund.amount, facts.order.currency_id)),
                stacked([why(facts, refund), refund.note or ""]),
                stacked(destination(facts, part) for part in refund.parts.all()),
                facts.name_of(refund.created_by) or "Payment provider",
                stamp(refund.created_at),
            )
            for refund in reversed(facts.refunds)
        ],
    )


def why(facts: Facts, refund: GrantedRefund) -> str:
    """The reason for the refund, or the return that it is for."""
    if refund.refund_reason is not None:
        return str(refund.refund_reason)
    number = next((each.display_id for each in facts.returns if each.pk == refund.return_id), "")
    return f"Return {number}".strip() if refund.return_id else ""


def destination(facts: Facts, part: RefundPart) -> str:
    """The target, amount and status of a part."""
    target = "Payment" if part.account is None else account_name(facts.request, part.account)
    if part.payment is not None and facts.payments:
        target = provider_name(part.payment.provider_id)
    status = part_status(part)
    suffix = "" if status == RefundPartStatus.SUCCEEDED else f", {_STATUS_NAMES[status]}"
    if facts.payments and status == RefundPartStatus.FAILED and part.intent is not None and part.intent.error:
        suffix += f": {part.intent.error}"
    return format_html("{}: {}{}", target, worth(part.amount, facts.order.currency_id), suffix)


def part_status(part: RefundPart) -> RefundPartStatus:
    """The status that the API shows."""
    if part.intent is None:
        return RefundPartStatus.SUCCEEDED
    if part.intent.done_at is None:
        return RefundPartStatus.PENDING
    return RefundPartStatus.FAILED if part.intent.result == Result.REFUSED else RefundPartStatus.SUCCEEDED


def _payment_link(payment: OrderPayment) -> str:
    return row_link("payments_payment_change", payment.pk, provider_name(payment.provider_id))


_STATUS_NAMES = {RefundPartStatus.PENDING: "pending", RefundPartStatus.FAILED: "declined"}
