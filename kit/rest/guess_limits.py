"""A throttle against guessing ids and codes: after too many misses, further guesses are refused.

Only misses count, so that honest callers never reach the limit.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.http import HttpResponse

from kit.domain.actor import Actor
from kit.domain.missing_row import GuessMissed
from kit.rest.endpoint import Endpoint
from kit.safety.throttling import counters


@dataclass(frozen=True, slots=True)
class Guesser:
    """The subject whose misses are counted, and the throttle."""

    throttle: str
    subject: str

    @contextmanager
    def guess(self, outside: Callable[[Callable[[], None]], None], counted: set[Hashable]) -> Iterator[None]:
        """Count the guess if it misses.

        outside: runs a function outside of any transaction, so that the count is not rolled back.
        counted: the misses that this request has already counted; a repeated guess counts once.
        Raises TooManyRequests after too many misses, even if this guess is right.
        """
        self.check()
        try:
            yield
        except GuessMissed as refusal:
            miss = (refusal.noun, refusal.guess)
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


class MissesCounted(Endpoint):
    """Base of routes that take an id or code that opens what it names."""

    is_throttled = True
    has_missed = False

    @staticmethod
    def guesser(actor: Actor, meta: Mapping[str, object]) -> Guesser:
        """The guesser of a request: its caller, and its WSGI environment."""
        raise NotImplementedError

    def perform(self) -> HttpResponse:
        """Count a miss after the transactions of the request and of its Idempotency-Key."""
        if self.request.method == "OPTIONS":
            return super().perform()
        caller = self.guesser(self.actor, self.request.META)
        with caller.guess(_now, set()):
            response = super().perform()
        if self.has_missed:
            caller.miss()
        return response

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]  # as its base
        """Notice a miss inside the transaction of an Idempotency-Key."""
        self.has_missed = isinstance(exc, GuessMissed)
        return super().handle_exception(exc)


def _now(work: Callable[[], None]) -> None:
    work()
