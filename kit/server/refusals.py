"""Requests that the front answers itself, before they take a thread.

Why: docs/decisions/http.md#slow-clients-hold-no-thread.
"""

from dataclasses import dataclass


@dataclass(eq=False)  # not frozen: context managers set the traceback of what passes them
class Refused(Exception):
    """status: of the answer. message: a sentence for the caller. retry_after: in seconds, if a retry may help.

    closes: whether the connection ends with the answer, since nobody knows where the next request begins.
    """

    status: int
    message: str
    retry_after: int | None = None
    closes: bool = False


def busy() -> Refused:
    """503: the server is busy with other requests."""
    return Refused(503, "The server is busy. You may retry the request with its Idempotency-Key", retry_after=1)
