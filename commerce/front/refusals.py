"""Why the front answers a request itself, before any thread has seen it. Source: behaviour.md 0.1, 0.39."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Refused(Exception):
    """status: of the answer. message: a sentence for the caller. retry_after: seconds, where trying again may help."""

    status: int
    message: str
    retry_after: int | None = None


def busy() -> Refused:
    """503: the server works for others."""
    return Refused(503, "The server is busy. You may retry the request with its Idempotency-Key", retry_after=1)
