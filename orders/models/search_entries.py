"""Search entries of orders: numbers, the person with addresses and phones, items and tracking numbers."""

from typing import Any, ClassVar

from django.db import models

from kit.domain.actor import Actor
from kit.search import terms
from orders.models.orders import Order


class OrderTermsField(terms.TermsField):
    """The terms of orders."""

    index = "orders_order_fts"


class OrderSearchQuerySet(models.QuerySet["OrderSearch"]):
    """Search entries of orders, which only staff search."""

    def seen_by(self, actor: Actor, *, with_deleted: bool) -> "OrderSearchQuerySet | None":
        """All entries for staff who may view orders: orders are never deleted. Otherwise, orders decide."""
        return self.all() if actor.may("orders.view_order") else None


class OrderSearch(models.Model):
    """The search entry of an order (orders/common/search). terms, marked: kit/search/queries.py."""

    order = models.OneToOneField(Order, on_delete=models.CASCADE, related_name="search")
    terms = OrderTermsField(editable=False)
    marked = models.TextField(editable=False)

    objects: ClassVar[Any] = OrderSearchQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.order_id)
