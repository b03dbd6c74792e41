"""Links to what emails, events and movements of stock are about, which they know by its id alone."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Model
from django.http import HttpRequest

from apikeys.models import ApiKey
from auth.models import PasswordReset
from giftcards.models import GiftCard
from kit.admin.lists.row_link import opening_link
from orders.admin.order_links import order_links
from orders.models import Fulfillment, Order, OrderChange, OrderLookup, OrderTransfer, RefundPart, Return
from payments.models import Payment
from staff.models import Invitation, User

_PARTS: tuple[tuple[type[Model], str], ...] = (
    (Order, "id"),
    (Fulfillment, "order"),
    (OrderChange, "order"),
    (Return, "order"),
    (RefundPart, "refund__order"),
    (OrderTransfer, "order"),
    (OrderLookup, "order"),
)
"""What belongs to an order, and the path to the order's id."""
_NAMED: tuple[tuple[type[Model], str], ...] = (
    (Payment, "A payment"),
    (GiftCard, "A gift card"),
    (ApiKey, "An API key"),
    (Invitation, "An invitation"),
    (User, "A member of staff"),
    (PasswordReset, "A password reset"),
)
"""Rows with a name of their own, and what users see who may not open their screen."""


def subject_links(request: HttpRequest, ids: Collection[str]) -> Mapping[str, str]:
    """Links by id: to the order that it is part of, or to the row itself. Without ids of rows that are gone.

    At most a statement for each kind that is among the ids, and one for orders.
    """
    by_kind: dict[str, list[str]] = defaultdict(list)
    for each in ids:
        by_kind[each.rpartition("_")[0]].append(each)
    order_of: dict[str, str] = {}
    for model, path in _PARTS:
        if wanted := by_kind[_prefix(model)]:
            rows = model._default_manager.filter(pk__in=wanted).exclude(**{path: None})
            order_of.update(rows.values_list("pk", path))
    orders = order_links(request, order_ids=order_of.values()) if order_of else {}
    links = {key: orders[order_id] for key, order_id in order_of.items()}
    for model, closed in _NAMED:
        if wanted := by_kind[_prefix(model)]:
            rows = model._default_manager.filter(pk__in=wanted)
            links |= {row.pk: opening_link(request, row, closed=closed) for row in rows}
    return links


def _prefix(model: type[Model]) -> str:
    field: Any = model._meta.get_field("id")
    return str(field.prefix)
