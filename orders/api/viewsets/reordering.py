"""Ordering again."""

from collections.abc import Collection

from rest_framework.request import Request

from carts.api.resources import CARTS
from kit.rest.viewsets import StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.access.reordering import reorder
from orders.api.added_rows import reordered_lines
from orders.api.guess_limits import OrderMissesCounted
from orders.api.serializers.completion import ReorderSerializer


class Reorders(OrderMissesCounted, WriteEndpoint, StoreEndpoint):
    """Ordering again: a guest's order is open to callers who know its id, a customer's to that customer alone."""

    resource = CARTS
    answers = {"create": ReorderSerializer}
    adds = {"create": reordered_lines}
    private = True

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields` select of the cart."""
        return ("fields",)

    def create(self, request: Request, id: str) -> JSONObject:
        """Make a new cart of the order's lines, at today's prices.

        `left_out` names the lines that the cart lacks: what is no longer sold (`not_sold`), has too little stock
        (`out_of_stock`), or has no price in this quantity and region (`no_price`). `fields` select of the cart.
        """
        made = reorder(actor=self.actor, order_id=id)
        return {
            "cart": self.read(made.cart_id, actor=self.actor),
            "left_out": [each._asdict() for each in made.left_out],
        }
