"""Links to orders, which belong to an app above."""

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from django.http import HttpRequest

from kit.domain.hooks import AdminWired


class OrderLinks(Protocol):
    """Links to the orders with these ids, or of lines, refunds or carts with these ids."""

    def __call__(
        self,
        request: HttpRequest,
        *,
        order_ids: Collection[str] = (),
        line_ids: Collection[str] = (),
        refund_ids: Collection[str] = (),
        cart_ids: Collection[str] = (),
    ) -> Mapping[str, str]:
        """The links by the given id: the order's number, as plain text for users who may not open it."""


ORDER_LINKS = AdminWired[OrderLinks]("links to orders")

OrdersByNumber = Callable[[str], Collection[str]]
"""The ids of the orders with this number, as staff write it: `#1042`, `1042`, or in the shop's own format."""

ORDERS_BY_NUMBER = AdminWired[OrdersByNumber]("orders by their number")
"""Finds what belongs to orders on the screens of the apps below."""
