"""Lines of claims that replace units: they are no sales, since their units were sold before."""

from django.db.models import QuerySet

from orders.models import OrderChangeAction, OrderLineItem
from orders.states import ChangeAction, ChangeKind, OrderChangeStatus


def replacing(lines: "QuerySet[OrderLineItem]") -> "QuerySet[OrderLineItem]":
    """Those of the lines that a claim has added in place of others. Read apart, so that the index covers the rest."""
    added = OrderChangeAction.objects.filter(
        change__kind=ChangeKind.CLAIM,
        change__status=OrderChangeStatus.CONFIRMED,
        action=ChangeAction.ITEM_ADD,
        replaces__isnull=False,
    )
    return lines.filter(pk__in=added.values("line_id"))
