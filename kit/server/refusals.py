"""Requests that the front answers itself, before they take a thread.

Why: docs/decisions/http.md#slow-clients-hold-no-thread.
"""

from dataclasses import dataclass


@dataclass(eq=False)  # not frozen: context managers set the traceback of what passes them
class Refused(Exception):
    """status: of the answer. message: a sentence for the caller. retry_after: in seconds, if a retry may help."""

    status: int
    message: str
    retry_after: int | None = None


def busy() -> Refused:
    """503: the server is busy with other requests."""
    return Refused(503, "The server is busy. You may retry the request with its Idempotency-Key", retry_after=1)
