"""Windows of throttles. They are fixed and begin at multiples of their length.

Around a window's turn at most twice the limit gets through.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from kit.errors import TooManyRequests
from kit.safety.keyed_digests import keyed_digest

SUBJECT_DIGESTS = "commerce.throttling"
ONE_EACH: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Window:
    """One subject's present window of one throttle.

    attempts: how many it may have. window_end: seconds since 1970, UTC. amount: how many attempts the caller counts.
    """

    digest: str
    attempts: int
    seconds: int
    window_end: int
    amount: int = 1

    def refusal(self) -> TooManyRequests:
        """The error for an attempt beyond the limit."""
        seconds_left = max(1, self.window_end - int(time.time()))
        return TooManyRequests("Too many attempts, try again later", retry_after=seconds_left)


def current(subjects: Mapping[str, str], amounts: Mapping[str, int] = ONE_EACH) -> list[Window]:
    """The present window of each subject, by its throttle. amounts: by throttle, how many attempts to count."""
    now = int(time.time())
    found = []
    for throttle, subject in subjects.items():
        attempts, seconds = settings.THROTTLES[throttle]
        window_end, amount = (now // seconds + 1) * seconds, amounts.get(throttle, 1)
        found.append(Window(_digest(throttle, subject), attempts, seconds, window_end, amount))
    return found


def _digest(throttle: str, subject: str) -> str:
    """Keyed, since email and network addresses are few enough to be guessed from a plain hash."""
    return keyed_digest(f"{SUBJECT_DIGESTS}.{throttle}", subject)
