"""Guessing codes stays slow: whoever has named too many cards that are not there is not told of the next.

A miss alone counts, so that a shop's customers never meet the limit; it is counted for the customer who has signed in,
else for the client's address. Source: behaviour.md 0.11.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from commerce.api.client_address import client_address
from commerce.api.viewsets import Endpoint
from commerce.core.actor import Actor
from commerce.throttling import counters
from giftcards.errors import GiftCardNotFound


@dataclass(frozen=True, slots=True)
class Guesser:
    """Whose misses are counted, under which throttle."""

    throttle: str
    subject: str

    def check(self) -> None:
        """Raise TooManyRequests for whoever has missed too often, even if the next guess is right."""
        counters.check(throttle=self.throttle, subject=self.subject)

    def miss(self) -> None:
        """Count a miss. Raises TooManyRequests in the place of what others in parallel have used up."""
        counters.hit(throttle=self.throttle, subject=self.subject)


def guesser(actor: Actor, meta: Mapping[str, Any]) -> Guesser:
    """Who guesses. meta: the WSGI environment."""
    if actor.type == "customer" and actor.id is not None:
        return Guesser("gift_card_misses", actor.id)
    return Guesser("client_flood", client_address(meta))


class MissesCounted(Endpoint):
    """Routes that take the code of a card."""

    throttled = True
    has_missed = False

    def perform(self) -> HttpResponse:
        """A miss is counted when its transaction, and that of the Idempotency-Key, is over."""
        if self.request.method == "OPTIONS":
            return super().perform()
        who = guesser(self.actor, self.request.META)
        who.check()
        try:
            response = super().perform()
        except GiftCardNotFound:
            who.miss()
            raise
        if self.has_missed:
            who.miss()
        return response

    def handle_exception(self, exc: Exception) -> HttpResponse:
        """A request with a key is refused inside its transaction."""
        self.has_missed = isinstance(exc, GiftCardNotFound)
        return super().handle_exception(exc)
