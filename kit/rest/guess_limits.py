"""A throttle against guessing ids and codes: after too many misses, further guesses are refused.

Only misses count, so that honest callers never reach the limit.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.http import HttpResponse

from kit.domain.missing_row import GuessMissed
from kit.rest.endpoint import Endpoint
from kit.safety.throttling import counters


@dataclass(frozen=True, slots=True)
class Guesser:
    """The subjects whose misses are counted, by their throttles."""

    subjects: Mapping[str, str]

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
        """Raise TooManyRequests after too many misses. A statement for each subject."""
        for throttle, subject in self.subjects.items():
            counters.check(throttle=throttle, subject=subject)

    def miss(self) -> None:
        """Count a miss. Raises TooManyRequests if concurrent misses have reached the limit."""
        counters.hit_each(self.subjects)


class MissesCounted(Endpoint):
    """Base of routes that take an id or code that opens what it names."""

    is_throttled = True
    has_missed = False

    def guesser(self) -> Guesser | None:
        """Who guesses; None where the request guesses nothing."""
        raise NotImplementedError

    def perform(self) -> HttpResponse:
        """Count a miss after the transactions of the request and of its Idempotency-Key."""
        caller = None if self.request.method == "OPTIONS" else self.guesser()
        if caller is None:
            return super().perform()
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
