"""Completing a cart, in GraphQL."""

from carts.api.resources import CARTS
from kit.domain.actor import Actor
from kit.graphql.fields.outcomes import Outcome, OutcomeChange
from orders.api.resources import ORDERS
from orders.api.resources.completion import COMPLETION_ERRORS, shown_refusal
from orders.completion.completing import complete


def _complete(*, actor: Actor, id: str, idempotency_digest: str | None) -> Outcome:
    done = complete(actor=actor, cart_id=id, idempotency_digest=idempotency_digest)
    if done.order_id is not None:
        return Outcome(ORDERS.name, done.order_id)
    return Outcome(CARTS.name, id, None if done.refusal is None else shown_refusal(done.refusal))


COMPLETION_MUTATIONS = {
    "complete_cart": OutcomeChange(
        "CompleteCartPayload",
        (ORDERS, CARTS),
        COMPLETION_ERRORS,
        "Complete a cart: it becomes an order. If the payment is refused, the cart is answered, and an error.",
        work=_complete,
    ),
}
