"""The template variables of the page."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from decimal import Decimal

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse

from carts.admin.cart_links import cart_links
from carts.pricing.tax_terms import total_name
from kit.admin.history.timeline import entries
from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.row_link import may_open, row_link
from kit.values.money import major
from kit.values.shown_dates import shown_moment
from orders.admin.actions import OfferedAction
from orders.admin.columns import (
    FULFILLMENT_COLOURS,
    ORDER_COLOURS,
    PAYMENT_COLOURS,
    name_of,
    status_name,
)
from orders.admin.order_page.events import events
from orders.admin.order_page.formatting import address_lines
from orders.admin.order_page.items import items, sums
from orders.admin.order_page.logistics import fulfillments, returns
from orders.admin.order_page.money import documents, payments, refunds
from orders.admin.order_page.page_data import OrderPageData, page_data
from orders.admin.to_do import COLOURS as TASK_COLOURS
from orders.admin.to_do import Task, tasks_of
from orders.common.summary import pending_difference_of
from orders.models import Order

MOST_BUTTONS = 4
MOST_EVENTS = 200


def page_context(request: HttpRequest, order: Order) -> Mapping[str, object]:
    """The template variables of an order's page."""
    data = page_data(request, order)
    tasks = tasks_of([order.pk])[order.pk]
    needed = {_ACTIONS_OF_TASKS.get(task, task.value) for task in tasks}
    buttons = _buttons(data, needed)
    return {
        "order": order,
        "placed_at": shown_moment(order.created_at),
        "statuses": _statuses(order),
        "tasks": [(task.label, TASK_COLOURS.get(task.label, "info")) for task in tasks],
        "needed": needed,
        "figures": _figures(order, data.state.outstanding),
        "first_actions": buttons[:MOST_BUTTONS],
        "more_actions": buttons[MOST_BUTTONS:],
        "items": items(data),
        "remaining_list_url": _remaining_list_url(data),
        "sums": list(sums(data)),
        "customer": _customer(request, order),
        "addresses": _addresses(order),
        "tables": [table for table in _tables(data) if table.cells],
        "notes": [
            (note, shown_moment(note.created_at), data.name_of(note.created_by)) for note in reversed(data.notes)
        ],
        "timeline": list(entries(events(data), data.name_of, most=MOST_EVENTS)),
        "record": _record(request, order),
    }


def _buttons(data: OrderPageData, needed: Collection[str]) -> list[OfferedAction]:
    """The needed actions first. Those on a parcel, payment or return are there only if needed, and the only ones.

    An open change has no other place on the page.
    """
    open_change = data.state.open_change.pk if data.state.open_change else ""
    numbers = Counter(action.name for action in data.actions)
    shown = [
        action
        for action in data.actions
        if action.about in ("", open_change) or (action.name in needed and numbers[action.name] == 1)
    ]
    return sorted(shown, key=lambda action: action.name not in needed)


def _tables(data: OrderPageData) -> list[PageTable]:
    paid = [payments(data)] if data.payments or data.credit_lines else []
    return [*paid, refunds(data), documents(data), fulfillments(data), returns(data)]


def _remaining_list_url(data: OrderPageData) -> str:
    """The URL of the packing list of unpacked items; "" if everything is packed."""
    is_left = any(line.fulfilled_quantity < line.quantity for line in data.lines.values())
    if not is_left or data.order.is_canceled:
        return ""
    return reverse("admin:orders_order_remaining_list", args=[quote(data.order.pk)])


def _statuses(order: Order) -> list[tuple[str, str, str]]:
    """Each status with its subject, name and colour."""
    return [
        ("Order", status_name(order.status), ORDER_COLOURS.get(order.status, "")),
        ("Payment", status_name(order.payment_status), PAYMENT_COLOURS.get(order.payment_status, "")),
        ("Fulfillment", status_name(order.fulfillment_status), FULFILLMENT_COLOURS.get(order.fulfillment_status, "")),
    ]


def _figures(order: Order, outstanding: int) -> list[tuple[str, str]]:
    """outstanding: what the customer has not paid or authorized yet, in 1/10,000."""
    owed, due = pending_difference_of(order), major(outstanding)
    amounts = {
        total_name(is_tax_exempt=order.is_tax_exempt): order.total,
        "Captured": order.paid_total,
        "Refunded": order.refunded_total + order.credit_refunded_total,
        "To come back": order.agreed_return_total,
        "To refund": max(-owed, Decimal(0)),
        "To capture": max(owed - due, Decimal(0)),
        "Due": due,
    }
    always = [*amounts][:2]
    shown = [(name, amount_cell(each, order.currency_id)) for name, each in amounts.items() if each or name in always]
    return shown if owed else [*shown, ("Due", "Nothing")]


def _customer(request: HttpRequest, order: Order) -> str:
    """The customer's name, as a link for users who may open the customer's page."""
    customer, name = order.customer, name_of(order)
    if customer is None:
        return f"{name} (guest)" if name else "Guest"
    return row_link("customers_customer_change", customer.pk, name) if may_open(request, type(customer)) else name


def _addresses(order: Order) -> list[tuple[str, list[str]]]:
    shipping, billing = (address_lines(each) for each in (order.shipping_address, order.billing_address))
    return [
        ("Shipping address", shipping),
        ("Billing address", ["Same as the shipping address"] if billing == shipping != [] else billing),
    ]


def _record(request: HttpRequest, order: Order) -> list[tuple[str, object]]:
    return [
        ("Region", order.region),
        ("Sales channel", order.sales_channel),
        ("Language", order.locale or NOTHING),
        ("Metadata", json.dumps(order.metadata) if order.metadata else NOTHING),
        ("ID", order.pk),
        ("Cart", cart_links(request, [order.cart_id]).get(order.cart_id, "A deleted cart")),
        ("Version", order.version),
        ("Updated", shown_moment(order.updated_at)),
    ]


_ACTIONS_OF_TASKS = {Task.RECEIVE: "receive-return"}  # the others have the names of their tasks
