"""A throttle against guessing codes: after too many misses a caller gets no answer about further codes.

Only misses count, so that honest customers never reach the limit. They are counted per signed-in customer, otherwise
per client address. Source: behaviour.md 0.11.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.http import HttpResponse

from commerce.kit.api.client_address import client_address
from commerce.kit.api.endpoint import Endpoint
from commerce.kit.core.actor import Actor
from commerce.kit.throttling import counters
from giftcards.cards import column_and_value
from giftcards.errors import GiftCardNotFound


@dataclass(frozen=True, slots=True)
class Guesser:
    """The subject whose misses are counted, and the throttle."""

    throttle: str
    subject: str

    @contextmanager
    def guess(self, outside: Callable[[Callable[[], None]], None], counted: set[Hashable]) -> Iterator[None]:
        """Count the guess if it misses.

        outside: runs a function outside of any transaction, so that the count is not rolled back.
        counted: the misses that this request has already counted; a repeated code counts once.
        Raises TooManyRequests after too many misses, even if this guess is right.
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
        """Raise TooManyRequests after too many misses."""
        counters.check(throttle=self.throttle, subject=self.subject)

    def miss(self) -> None:
        """Count a miss. Raises TooManyRequests if concurrent misses have reached the limit."""
        counters.hit(throttle=self.throttle, subject=self.subject)


def guesser(actor: Actor, meta: Mapping[str, object]) -> Guesser:
    """The guesser of a request. meta: the WSGI environment."""
    if actor.type == "customer" and actor.id is not None:
        return Guesser("gift_card_misses", actor.id)
    return Guesser("client_flood", f"gift card {client_address(meta)}")


class MissesCounted(Endpoint):
    """Base of routes that take the code of a card."""

    is_throttled = True
    has_missed = False

    def perform(self) -> HttpResponse:
        """Count a miss after the transactions of the request and of its Idempotency-Key."""
        if self.request.method == "OPTIONS":
            return super().perform()
        caller = guesser(self.actor, self.request.META)
        with caller.guess(_now, set()):
            response = super().perform()
        if self.has_missed:
            caller.miss()
        return response

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]  # as its base
        """Notice a miss inside the transaction of an Idempotency-Key."""
        self.has_missed = isinstance(exc, GiftCardNotFound)
        return super().handle_exception(exc)


def _now(work: Callable[[], None]) -> None:
    work()
