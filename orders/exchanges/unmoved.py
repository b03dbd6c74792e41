"""Confirmed exchanges and claims that can still be canceled."""

from django.db.models import Exists, OuterRef, QuerySet

from orders.changes.open_change import GOODS
from orders.models import OrderChange, OrderChangeAction, OrderLineItem, Return
from orders.states import ChangeAction, OrderChangeStatus, ReturnStatus

_BACK = (ReturnStatus.PARTIALLY_RECEIVED, ReturnStatus.RECEIVED)


def unmoved_changes(order_id: str) -> "QuerySet[OrderChange]":
    """Those of the order of which nothing came back, and nothing that they added was packed. One statement."""
    back = Return.objects.not_deleted().filter(change=OuterRef("pk"), is_written_off=False, status__in=_BACK)
    added = OrderChangeAction.objects.filter(change=OuterRef(OuterRef("pk")), action=ChangeAction.ITEM_ADD)
    packed = OrderLineItem.objects.filter(order=order_id, fulfilled_quantity__gt=0, pk__in=added.values("line_id"))
    rows: QuerySet[OrderChange] = OrderChange.objects.not_deleted().filter(
        ~Exists(back), ~Exists(packed), order=order_id, kind__in=GOODS, status=OrderChangeStatus.CONFIRMED
    )
    return rows.order_by("pk")
