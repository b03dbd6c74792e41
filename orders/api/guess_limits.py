"""A flood limit of wrong order ids, so that guesses by one shopper do not lock out customers who have signed in."""

from collections.abc import Mapping

from kit.domain.actor import Actor
from kit.rest.guess_limits import Guesser, MissesCounted
from kit.rest.requests.client_address import client_address


def guesser(actor: Actor, meta: Mapping[str, object]) -> Guesser:
    """The guesser of a request: the signed-in customer, else the client's address. meta: the WSGI environment."""
    is_customer = actor.type == "customer" and actor.id is not None
    return Guesser({"client_flood": f"order {actor.id if is_customer else client_address(meta)}"})


class OrderMissesCounted(MissesCounted):
    """Base of routes that take the id of an order."""

    def guesser(self) -> Guesser:
        return guesser(self.actor, self.request.META)
