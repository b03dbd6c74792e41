"""The events of an order's timeline, from its rows and the admin history."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.html import format_html, format_html_join

from kit.admin.history.timeline import TimelineEvent
from kit.admin.lists.amounts import amount_cell
from orders.admin.order_page.change_texts import change_name, effects_of_actions
from orders.admin.order_page.logistics import carrier_of, units_of
from orders.admin.order_page.money import destination, document_name, why
from orders.admin.order_page.page_data import OrderPageData
from orders.managing.notes import ADDED_A_NOTE
from orders.models import Fulfillment, OrderChange, Return
from orders.states import ChangeKind, ReturnStatus, TransferStatus
from shop.provider_name import provider_name

CUSTOMER = "Customer"
_SHOWN_BY_ROWS = (
    *(ADDED_A_NOTE, "Packed ", "Unpacked ", "Shipped ", "Delivered ", "Captured ", "Refund of "),
    *("Requested the return of ", "Canceled return ", "Payment link ", "Edited: ", "Edit canceled"),
    *("Exchanged: ", "Exchange ", "Claimed: ", "Claim "),
    *("Wrote invoice ", "Corrected invoice "),
)
"""The beginnings of history entries (orders/admin/forms) that rows already show, with names and amounts."""


def events(data: OrderPageData) -> Iterator[TimelineEvent]:
    """All events that the user may see, unsorted."""
    yield TimelineEvent(data.order.created_at, "Placed", CUSTOMER)
    yield from _of_the_history(data)
    yield from _of_payments(data)
    for row in data.fulfillments:
        yield from _of_fulfillment(data, row)
    for each in data.returns:
        yield from _of_return(data, each)
    for change in data.changes:
        yield from _of_change(data, change)
    yield from _of_notes_and_mails(data)
    yield from _of_transfers(data)
    for document in data.documents:
        said = format_html(
            "{} written over {}", document_name(data, document), amount_cell(document.total, document.currency_id)
        )
        yield TimelineEvent(document.issued_at, said, by_staff=document.created_by)
    for link in data.links:
        text = "Payment link made and emailed" if link.is_mailed else "Payment link made"
        yield TimelineEvent(link.created_at, text, by_staff=link.created_by)


def _of_the_history(data: OrderPageData) -> Iterator[TimelineEvent]:
    """What staff did with the order itself, and what forms recorded that no row shows."""
    texts = {entry.get_change_message() for entry in data.history}
    for entry in data.history:
        text = entry.get_change_message()
        if text.startswith("Received ") and not data.sees_returns:
            continue
        if not text.startswith(_SHOWN_BY_ROWS):
            yield TimelineEvent(entry.action_time, text, by_staff=str(entry.user_id))
    if data.order.canceled_at is not None and "Canceled." not in texts:
        yield TimelineEvent(data.order.canceled_at, "Canceled.")


def _of_payments(data: OrderPageData) -> Iterator[TimelineEvent]:
    for payment in data.payments:
        name, currency = provider_name(payment.provider_id), payment.currency_id
        authorized = amount_cell(payment.amount, currency)
        yield TimelineEvent(payment.created_at, format_html("{} authorized by {}", authorized, name))
        for capture in payment.captures.all():
            text = format_html("{} captured by {}", amount_cell(capture.amount, currency), name)
            yield TimelineEvent(capture.created_at, text, by_staff=capture.created_by)
        if payment.canceled_at is not None:
            yield TimelineEvent(payment.canceled_at, format_html("Authorization released by {}", name))
    for intent in data.refused:
        amount = amount_cell(intent.amount, intent.session.currency_id) if intent.amount is not None else ""
        text = format_html("{} of {} declined: {}", intent.get_act_display(), amount, intent.error)
        yield TimelineEvent(intent.done_at or intent.created_at, text, by_staff=intent.created_by)
    for refund in data.refunds:
        reason = why(data, refund)
        amount = amount_cell(refund.amount, data.order.currency_id)
        parts = format_html_join(", ", "{}", ((destination(data, part),) for part in refund.parts.all()))
        text = format_html("{} refunded{} ({})", amount, f": {reason}" if reason else "", parts)
        yield TimelineEvent(refund.created_at, text, by_staff=refund.created_by)


def _of_fulfillment(data: OrderPageData, row: Fulfillment) -> Iterator[TimelineEvent]:
    goods = ", ".join(units_of(data, row))
    steps = (
        (row.packed_at, f"Packed {goods}", row.created_by),
        (row.shipped_at, f"Shipped {goods}", row.marked_shipped_by),
        (row.delivered_at, f"Delivered {goods}", row.delivered_by),
        (row.canceled_at, f"Unpacked {goods}", row.canceled_by),
    )
    for moment, text, by in steps:
        if moment is not None:
            reason = f": {row.cancel_reason}" if moment == row.canceled_at and row.cancel_reason else ""
            yield TimelineEvent(moment, f"{text}{reason}", "" if by else carrier_of(row), by)


def _of_return(data: OrderPageData, row: Return) -> Iterator[TimelineEvent]:
    name = f"Return {row.display_id}"
    if row.requested_at is not None:
        yield TimelineEvent(row.requested_at, f"{name} requested", "" if row.created_by else CUSTOMER, row.created_by)
    in_part = row.updated_at if row.status == ReturnStatus.PARTIALLY_RECEIVED else None
    received_at = row.received_at or in_part
    if received_at is not None and not _has_receipt(data, row, received_at):
        text = f"{name} received{' in part' if in_part else ''}"
        yield TimelineEvent(received_at, text, by_staff=row.received_by)
    if row.canceled_at is not None:
        yield TimelineEvent(row.canceled_at, f"{name} canceled", by_staff=row.canceled_by)


def _of_change(data: OrderPageData, row: OrderChange) -> Iterator[TimelineEvent]:
    said = ". ".join(filter(None, (row.description, row.internal_note)))
    note = f": {said}" if said else ""
    name = change_name(row)
    yield TimelineEvent(row.created_at, f"{name} begun{note}", by_staff=row.created_by)
    if row.requested_at is not None:
        yield TimelineEvent(row.requested_at, f"{name} marked as ready", by_staff=row.requested_by)
    if row.confirmed_at is not None:
        is_edit, effects = row.kind == ChangeKind.EDIT, ", ".join(effects_of_actions(row.actions.all()))
        done, worth = ("Edited", "total") if is_edit else (f"{name} confirmed", "order's value")
        totals = (amount_cell(each, data.order.currency_id) for each in (row.total_before, row.total_after))
        text = format_html("{}: {}. The {} changed from {} to {}", done, effects, worth, *totals)
        yield TimelineEvent(row.confirmed_at, text, by_staff=row.confirmed_by)
    if row.canceled_at is not None:
        yield TimelineEvent(row.canceled_at, f"{name} canceled", by_staff=row.canceled_by)


def _has_receipt(data: OrderPageData, row: Return, received_at: datetime) -> bool:
    """Whether the history shows the latest receipt, with its units."""
    entries = (each for each in data.history if each.action_time >= received_at)
    texts = (each.get_change_message() for each in entries)
    return any(text.startswith("Received ") and text.endswith(f" of return {row.display_id}.") for text in texts)


def _of_notes_and_mails(data: OrderPageData) -> Iterator[TimelineEvent]:
    for note in data.notes:
        text = format_html('Note: <span class="pre">{}</span>', note.text)
        yield TimelineEvent(note.created_at, text, by_staff=note.created_by)
    for mail in data.mails:
        name = mail.kind.replace("_", " ")
        if mail.sent_at is not None:
            yield TimelineEvent(mail.sent_at, f"Email “{name}” sent to {mail.recipient}")
            continue
        queued_at = max(mail.created_at, data.order.created_at)  # an order's own row is written last
        if mail.error:
            yield TimelineEvent(queued_at, f"Email “{name}” not sent: {mail.error}")
        else:
            yield TimelineEvent(queued_at, f"Email “{name}” {mail.status.label.lower()}")


def _of_transfers(data: OrderPageData) -> Iterator[TimelineEvent]:
    for transfer in data.transfers:
        name_of_customer = str(transfer.customer) if data.sees_customers else "another customer"
        yield TimelineEvent(transfer.created_at, "Transfer requested", name_of_customer)
        if transfer.ended_at is not None:
            name = TransferStatus(transfer.status).label.lower()
            yield TimelineEvent(transfer.ended_at, f"Transfer to {name_of_customer} {name}")
