"""A throttle against guessing promotion codes.

Why: docs/decisions/carts.md#wrong-promotion-codes-count-by-cart.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import Change
from kit.graphql.fields.roots import Arguments
from kit.rest.guess_limits import Guesser, MissesCounted
from kit.rest.requests.client_address import client_address


def guesser(actor: Actor, meta: Mapping[str, object], cart_id: str | None) -> Guesser:
    """The guesser of a request: the signed-in customer, else the cart, if it exists already, and the client's address.

    meta: the WSGI environment.
    """
    if actor.type == "customer" and actor.id is not None:
        return Guesser({"promotion_code_misses": actor.id})
    by_address = {"client_flood": f"promotion code {client_address(meta)}"}
    return Guesser(by_address if cart_id is None else {"promotion_code_misses": cart_id, **by_address})


class CodeMissesCounted(MissesCounted):
    """Base of routes that take the promotion codes of a cart. Requests that add none are not counted."""

    def guesser(self) -> Guesser | None:
        if self.request.method != "POST" or not self._json.get("promo_codes"):
            return None
        return guesser(self.actor, self.request.META, self.kwargs.get("id"))


class CodeChange(Change):
    """A mutation that takes promotion codes."""

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        with _guess(context, args):
            return super().answer(context, plan, args)


def _guess(context: RequestContext, args: Mapping[str, Any]) -> AbstractContextManager[None]:
    if not (args.get("input") or {}).get("promo_codes"):
        return nullcontext()
    by = guesser(context.shopper, context.request.META, args.get("id"))
    return by.guess(context.outside, context.counted)
