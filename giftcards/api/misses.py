"""Guessing codes stays slow: whoever has named too many cards that are not there is not told of the next.

A miss alone counts, so that a shop's customers never meet the limit; it is counted for the customer who has signed in,
else for the client's address. Source: behaviour.md 0.11.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.http import HttpResponse

from commerce.kit.api.client_address import client_address
from commerce.kit.api.viewsets import Endpoint
from commerce.kit.core.actor import Actor
from commerce.kit.throttling import counters
from giftcards.cards import column_and_value
from giftcards.errors import GiftCardNotFound


@dataclass(frozen=True, slots=True)
class Guesser:
    """Whose misses are counted, under which throttle."""

    throttle: str
    subject: str

    @contextmanager
    def guess(self, outside: Callable[[Callable[[], None]], None], counted: set[Hashable]) -> Iterator[None]:
        """Count the guess if it misses.

        outside: does its work outside of every transaction, so that the count stands.
        counted: the misses of this request that were counted already: the same code again counts once.
        Raises TooManyRequests for a caller with too many misses, even if this guess is right.
        """
        self.check()
        try:
            yield
        except GiftCardNotFound as refusal:
            miss = ("gift card", *column_and_value(refusal.id_or_code))
            if miss not in counted:
                counted.add(miss)
                outside(self.miss)
            raise

    def check(self) -> None:
        """Raise TooManyRequests for whoever has missed too often."""
        counters.check(throttle=self.throttle, subject=self.subject)

    def miss(self) -> None:
        """Count a miss. Raises TooManyRequests where others in parallel have used the limit up."""
        counters.hit(throttle=self.throttle, subject=self.subject)


def guesser(actor: Actor, meta: Mapping[str, object]) -> Guesser:
    """Who guesses. meta: the WSGI environment."""
    if actor.type == "customer" and actor.id is not None:
        return Guesser("gift_card_misses", actor.id)
    return Guesser("client_flood", f"gift card {client_address(meta)}")


class MissesCounted(Endpoint):
    """Routes that take the code of a card."""

    is_throttled = True
    has_missed = False

    def perform(self) -> HttpResponse:
        """A miss is counted when its transaction, and that of the Idempotency-Key, is over."""
        if self.request.method == "OPTIONS":
            return super().perform()
        who = guesser(self.actor, self.request.META)
        with who.guess(_now, set()):
            response = super().perform()
        if self.has_missed:
            who.miss()
        return response

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]  # as its base
        """A request with a key is refused inside its transaction."""
        self.has_missed = isinstance(exc, GiftCardNotFound)
        return super().handle_exception(exc)


def _now(work: Callable[[], None]) -> None:
    work()
