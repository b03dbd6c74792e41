"""Completing a cart."""

from collections.abc import Collection
from typing import Any

from rest_framework.request import Request

from carts.api.resources import CARTS
from kit.rest.preparation import before_transaction
from kit.rest.viewsets import StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources import ORDERS
from orders.api.resources.completion import shown_refusal
from orders.api.serializers.completion import CompletionSerializer
from orders.completion import completing
from orders.completion.settling import Completed


class CartCompletion(WriteEndpoint, StoreEndpoint):
    """A cart becomes an order."""

    resource = ORDERS
    answers = {"complete": CompletionSerializer}
    private = True
    is_throttled = True

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields`, as where the order is the only answer."""
        return ("fields",)

    def complete_cart(self, request: Request, id: str) -> Completed:
        """Complete the cart. Providers are asked outside of transactions, so this is all the work."""
        return completing.complete(actor=self.actor, cart_id=id, idempotency_digest=self.idempotency_digest)

    @before_transaction(complete_cart)
    def complete(self, request: Request, done: Completed, id: str) -> JSONObject:
        """Complete a cart: it becomes an order, which every later call answers again.

        If the payment is refused, or needs the customer, the answer is `{"type": "cart", "cart": {…}, "error": {…}}`
        with status 200, and the cart can be completed again. `fields` select of the order.

        If the total has changed, the answer is a 400 whose `details` are `{"changes": [{"kind": "price", "id": …,
        "title": …, "before": 10, "after": 12.5, "code": null}], "total_before": 15, "total": 17.5}`. The next
        call completes the cart at that total. If stock is lacking, the kind is `stock`, with quantities.
        """
        if done.order_id is not None:
            return {"type": "order", "order": self.read(done.order_id, actor=self.actor)}
        assert done.refusal is not None  # noqa: S101 - Completed holds one of the two
        cart = CARTS.one(id, CARTS.single_query({}), self.actor)
        return {"type": "cart", "cart": cart, "error": shown_refusal(done.refusal)}

    def is_final(self, done: dict[str, Any] | None) -> bool:
        """Only an order is: after a refusal, the shopper pays again and sends the same key."""
        return done is not None and done["type"] == "order"
