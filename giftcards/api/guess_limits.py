"""A throttle against guessing codes.

Why: docs/decisions/gift-cards.md#guesses-of-codes-count-by-customer.
"""

from collections.abc import Mapping

from kit.domain.actor import Actor
from kit.rest.guess_limits import Guesser, MissesCounted
from kit.rest.requests.client_address import client_address


def guesser(actor: Actor, meta: Mapping[str, object]) -> Guesser:
    """The guesser of a request: the signed-in customer, else the client's address. meta: the WSGI environment."""
    if actor.type == "customer" and actor.id is not None:
        return Guesser({"gift_card_misses": actor.id})
    return Guesser({"client_flood": f"gift card {client_address(meta)}"})


class CardMissesCounted(MissesCounted):
    """Base of routes that take the code of a card."""

    def guesser(self) -> Guesser:
        return guesser(self.actor, self.request.META)
