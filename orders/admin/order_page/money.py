"""Payments and refunds of an order."""

from collections.abc import Iterator, Sequence

from django.utils.html import format_html

from kit.admin.history.timeline import stamp
from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.row_link import opening_link, row_link
from orders.admin.order_page.formatting import account_name, buttons, stacked
from orders.admin.order_page.items import credit_name
from orders.admin.order_page.page_data import OrderPageData
from orders.models import GrantedRefund, Invoice, OrderPayment, RefundPart
from orders.refunds.refund_parts import status_note
from shop.provider_name import provider_name


def payments(data: OrderPageData) -> PageTable:
    """The table of payments, gift cards and store credit."""
    return PageTable(
        "Payment",
        ("Paid by", "Authorized", "Captured", "Refunded", "When", ""),
        [*_by_providers(data), *_by_credit(data)],
        amounts=("Authorized", "Captured", "Refunded"),
    )


def _by_providers(data: OrderPageData) -> Iterator[Sequence[str]]:
    for payment in data.payments:
        amounts = (payment.authorized_amount, payment.captured_amount, payment.refunded_amount)
        yield (
            format_html("<strong>{}</strong>{}", _payment_link(payment), " (canceled)" if payment.canceled_at else ""),
            *(amount_cell(amount, payment.currency_id) if amount else NOTHING for amount in amounts),
            stamp(payment.created_at),
            buttons(data.actions_about(payment.pk)),
        )


def _by_credit(data: OrderPageData) -> Iterator[Sequence[str]]:
    for line in data.credit_lines:
        amount = amount_cell(line.amount, data.order.currency_id)
        yield credit_name(data, line), NOTHING, amount, NOTHING, stamp(line.created_at), ""


def refunds(data: OrderPageData) -> PageTable:
    """The table of refunds, with their parts."""
    return PageTable(
        "Refunds",
        ("Amount", "Why", "To", "By", "When"),
        [
            (
                format_html("<strong>{}</strong>", amount_cell(refund.amount, data.order.currency_id)),
                stacked([why(data, refund), refund.note or ""]),
                stacked(destination(data, part) for part in refund.parts.all()),
                data.name_of(refund.created_by) or "Payment provider",
                stamp(refund.created_at),
            )
            for refund in reversed(data.refunds)
        ],
    )


def documents(data: OrderPageData) -> PageTable:
    """The table of invoices and credit notes."""
    return PageTable(
        "Invoices and credit notes",
        ("Document", "Why", "Total", "Issued", ""),
        [
            (
                document_name(data, row),
                row.get_reason_display(),
                amount_cell(row.total, row.currency_id),
                stamp(row.issued_at),
                buttons(data.actions_about(row.pk)),
            )
            for row in reversed(data.documents)
        ],
        amounts=("Total",),
    )


def document_name(data: OrderPageData, row: Invoice) -> str:
    """`Invoice R-2026-000012`, with the link to its page."""
    return format_html("{} {}", row.get_kind_display().capitalize(), opening_link(data.request, row))


def why(data: OrderPageData, refund: GrantedRefund) -> str:
    """The reason for the refund, or the return that it is for."""
    if refund.refund_reason is not None:
        return str(refund.refund_reason)
    number = next((each.display_id for each in data.returns if each.pk == refund.return_id), "")
    return f"Return {number}".strip() if refund.return_id else ""


def destination(data: OrderPageData, part: RefundPart) -> str:
    """The target, amount and status of a part."""
    target = "Payment" if part.account is None else account_name(data.request, part.account)
    if part.payment is not None and data.payments:
        target = provider_name(part.payment.provider_id)
    note = status_note(part, sees_error=bool(data.payments))
    suffix = f", {note}" if note else ""
    return format_html("{}: {}{}", target, amount_cell(part.amount, data.order.currency_id), suffix)


def _payment_link(payment: OrderPayment) -> str:
    return row_link("payments_payment_change", payment.pk, provider_name(payment.provider_id))
