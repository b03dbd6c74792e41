"""A throttle against guessing codes.

Why: docs/decisions/gift-cards.md#guesses-of-codes-count-by-customer.
"""

from collections.abc import Mapping

from commerce.kit.api.client_address import client_address
from commerce.kit.api.guess_limits import Guesser, MissesCounted
from commerce.kit.core.actor import Actor


def guesser(actor: Actor, meta: Mapping[str, object]) -> Guesser:
    """The guesser of a request: the signed-in customer, else the client's address. meta: the WSGI environment."""
    if actor.type == "customer" and actor.id is not None:
        return Guesser("gift_card_misses", actor.id)
    return Guesser("client_flood", f"gift card {client_address(meta)}")


class CardMissesCounted(MissesCounted):
    """Base of routes that take the code of a card."""

    guesser = staticmethod(guesser)
