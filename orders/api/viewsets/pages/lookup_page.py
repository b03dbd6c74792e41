"""The page on which a guest sees an order, for shops whose storefront has none. It works without scripts and cookies.

Mail scanners open links, so opening this one uses nothing up: the guest's own click on the button does. That needs no
CSRF token, since nobody can send the form without the token of the email.
Why: docs/decisions/orders.md#guests-find-an-order-through-its-email-address.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import orjson
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from kit.database.locking import retry_on_conflict
from kit.domain.actor import ANONYMOUS
from kit.errors import DomainError
from kit.rest.responses.renderers import to_json
from kit.values.json import JSON, JSONObject
from kit.values.shown_dates import shown_moment
from kit.values.timestamps import parse_moment
from kit.values.written_amounts import written
from orders.access.lookups.opening import open_lookup
from orders.api.guess_limits import guesser
from orders.api.resources.lookups import FOUND_ORDERS
from orders.api.viewsets.pages.guest_pages import guest_page, refused_page
from orders.states import FulfillmentStatus, InvoiceKind, PaymentStatus

_TEMPLATE = "orders/lookup.html"
_AMOUNTS = {
    "item_total": "Items",
    "shipping_total": "Shipping",
    "discount_total": "Discounts, deducted",
    "credit_line_total": "Gift cards and store credit, deducted",
    "total": "Total",
    "tax_total": "Tax, included",
}
_STEPS = {"canceled_at": "Canceled", "delivered_at": "Delivered", "shipped_at": "Shipped", "packed_at": "Packed"}
"""The latest first."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@csrf_exempt
def lookup_page(request: HttpRequest, token: str) -> HttpResponse:
    """A button, and after a click on it the order, once."""
    if request.method != "POST":
        return guest_page(request, _TEMPLATE)
    try:
        with guesser(ANONYMOUS, request.META).guess(lambda work: work(), set()):
            order = retry_on_conflict(partial(_opened, token))
    except DomainError as refusal:
        return refused_page(request, _TEMPLATE, refusal)
    return guest_page(request, _TEMPLATE, order=_shown(order))


@transaction.atomic
def _opened(token: str) -> dict[str, Any]:
    """The order as the API shows it, so that the page shows nothing else."""
    found = FOUND_ORDERS.one(open_lookup(token=token), FOUND_ORDERS.single_query({}), ANONYMOUS)
    shown: dict[str, Any] = orjson.loads(to_json(found))
    return shown


def _shown(order: Mapping[str, Any]) -> JSONObject:
    """Its texts; amounts of zero are left out."""
    currency_code = order["currency_code"]

    def amount(value: float) -> str:
        return written(Decimal(str(value)), currency_code)

    return {
        "number": order["custom_display_id"] or f"#{order['display_id']}",
        "placed_at": _moment(order["created_at"]),
        "canceled_at": order["canceled_at"] and _moment(order["canceled_at"]),
        "email": order["email"],
        "payment_status": PaymentStatus(order["payment_status"]).label,
        "fulfillment_status": FulfillmentStatus(order["fulfillment_status"]).label,
        "lines": [
            {
                "quantity": line["quantity"],
                "title": line["product_title"] or line["title"],
                "variant": line["variant_title"] or "",
                "total": amount(line["original_total"]),
            }
            for line in order["items"]
        ],
        "amounts": [
            {"label": label, "amount": amount(order[name])}
            for name, label in _AMOUNTS.items()
            if order[name] or name == "total"
        ],
        "fulfillments": [_fulfillment(each) for each in order["fulfillments"]],
        "documents": [
            {"name": f"{InvoiceKind(each['kind']).label} {each['number']}", "url": each["url"]}
            for each in order["invoices"]
        ],
    }


def _fulfillment(fulfillment: Mapping[str, Any]) -> JSON:
    step = next(step for step in _STEPS if fulfillment[step])
    return {
        "step": _STEPS[step],
        "at": _moment(fulfillment[step]),
        "pieces": fulfillment["items"],
        "parcels": fulfillment["labels"],
    }


def _moment(text: str) -> str:
    moment = parse_moment(text)
    return shown_moment(moment) if moment else ""
