"""Fulfillments and returns of an order."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from kit.admin.history.timeline import stamp
from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.row_link import LOOK
from orders.admin.actions import OfferedAction
from orders.admin.columns import status_name
from orders.admin.order_page.change_texts import change_name
from orders.admin.order_page.formatting import buttons, line_name, stacked
from orders.admin.order_page.page_data import OrderPageData
from orders.models import Fulfillment, FulfillmentLabel, Return, ReturnItem
from orders.states import ReturnStatus
from shop.provider_name import provider_name


def fulfillments(data: OrderPageData) -> PageTable:
    """The table of fulfillments, with their items, labels and documents. Several have numbers, as in parcels_of."""
    numbers = {row.pk: f"Parcel {number}" for number, row in enumerate(data.fulfillments, 1)}
    if len(numbers) == 1:
        numbers = dict.fromkeys(numbers, "")
    return PageTable(
        "Fulfillments",
        ("State", "From", "Items", "Tracking", "By", ""),
        [
            (
                format_html(
                    "<strong>{}</strong>{}", state_of(row), stacked([numbers[row.pk], row.cancel_reason or ""])
                ),
                stacked([row.location.name if row.location else "", provider_name(row.provider_id or "")]) or NOTHING,
                stacked(units_of(data, row)),
                stacked(map(_label, row.labels.all())) or NOTHING,
                stacked(_people(data, row)),
                format_html("{}{}", buttons(data.actions_about(row.pk)), _documents(row)),
            )
            for row in reversed(data.fulfillments)
        ],
    )


def state_of(row: Fulfillment) -> str:
    """The last step that the fulfillment has reached."""
    steps = (row.canceled_at, "Canceled"), (row.delivered_at, "Delivered"), (row.shipped_at, "Shipped")
    return next((name for moment, name in steps if moment is not None), "Packed")


def units_of(data: OrderPageData, row: Fulfillment) -> list[str]:
    """`2 x Mug (Blue)` for each line. The items of a kit are several rows of one line, which count once."""
    units = {item.line_item_id: item.units for item in row.items.all()}
    return [f"{units[line_id]} x {line_name(line)}" for line_id, line in data.lines.items() if line_id in units]


def _people(data: OrderPageData, row: Fulfillment) -> list[str]:
    steps = (
        (row.packed_at, "Packed", row.created_by),
        (row.shipped_at, "Shipped", row.marked_shipped_by),
        (row.delivered_at, "Delivered", row.delivered_by),
        (row.canceled_at, "Canceled", row.canceled_by),
    )
    done = ((name, data.name_of(by) or carrier_of(row)) for moment, name, by in steps if moment is not None)
    return [f"{name}: {who}" if who else name for name, who in done]


def carrier_of(row: Fulfillment) -> str:
    """Who changed the fulfillment if no user did: the carrier, if it has reported anything."""
    return "Carrier" if row.events.all() or row.cancel_reason else ""


def _label(label: FulfillmentLabel) -> str:
    number = label.tracking_number or "Label"
    if label.tracking_url:
        number = format_html(
            '<a href="{}" class="{}" rel="noopener noreferrer">{}</a>', label.tracking_url, LOOK, number
        )
    if label.label_url:
        number = format_html(
            '{} <a href="{}" class="{}" rel="noopener noreferrer">print label</a>', number, label.label_url, LOOK
        )
    return number


def _documents(row: Fulfillment) -> str:
    if row.canceled_at is not None:
        return ""
    views = (("orders_order_packing_list", "Packing list"), ("orders_order_delivery_note", "Delivery note"))
    links = ((reverse(f"admin:{view}", args=[quote(row.order_id), row.pk]), LOOK, name) for view, name in views)
    return format_html('<div class="row">{}</div>', format_html_join("", '<a href="{}" class="{}">{}</a>', links))


def returns(data: OrderPageData) -> PageTable:
    """The table of returns, with their items and refunds."""
    return PageTable(
        "Returns",
        ("Return", "Items", "Note", "Requested", "Refunded", ""),
        [
            (
                format_html("<strong>Return {}</strong>{}", row.display_id, stacked(_told(data, row))),
                stacked(_item(data, item) for item in row.items.all() if item.deleted_at is None),
                stacked([row.note or "", row.internal_note or ""]) or NOTHING,
                _requested(data, row),
                _refunded(data, row),
                buttons([*data.actions_about(row.pk), *_actions_on_change(data, row)]),
            )
            for row in reversed(data.returns)
        ],
        amounts=("Refunded",),
    )


def _told(data: OrderPageData, row: Return) -> Iterator[str]:
    """Its status, and the exchange or claim that it belongs to."""
    yield "Written off" if row.is_written_off and row.canceled_at is None else status_name(row.status)
    if row.change_id is not None:
        yield from (change_name(change) for change in data.changes if change.pk == row.change_id)


def _actions_on_change(data: OrderPageData, row: Return) -> Sequence[OfferedAction]:
    """Those on the exchange or claim of the return. Of two returns of a claim, the first has them."""
    first = next(each for each in data.returns if each.change_id == row.change_id)
    return data.actions_about(row.change_id) if row.change_id and first is row else ()


def _item(data: OrderPageData, item: ReturnItem) -> str:
    line = data.lines.get(item.item_id)
    done = [
        f"{units} {name}"
        for units, name in ((item.received_quantity, "received"), (item.damaged_quantity, "damaged"))
        if units
    ]
    texts = [str(item.reason) if item.reason else "", item.note or "", *done]
    return ", ".join([f"{item.quantity} x {line_name(line) if line else ''}", *filter(None, texts)])


def _requested(data: OrderPageData, row: Return) -> str:
    if row.status == ReturnStatus.OPEN or row.requested_at is None:
        return "Not requested yet"
    return format_html(
        "{}{}", stamp(row.requested_at), stacked([f"by {data.name_of(row.created_by) or 'the customer'}"])
    )


def _refunded(data: OrderPageData, row: Return) -> str:
    amounts = [refund.amount for refund in data.refunds if refund.return_id == row.pk]
    return amount_cell(sum(amounts, Decimal(0)), data.order.currency_id) if amounts else NOTHING
