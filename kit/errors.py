"""Refusals of business rules. A DomainError carries the contract's type and code; transports decide status and body.

Why: docs/decisions/http.md#errors-have-the-types-that-medusa-documents.
"""

from collections.abc import Iterable, Mapping
from itertools import islice

MOST_NAMED = 10
"""Rows, fields or values that one message names: it must not become as long as the request that it refuses."""
INSUFFICIENT_INVENTORY = "insufficient_inventory"
"""The error code wherever stock is lacking."""


class DomainError(Exception):
    """A refusal that its caller may read; `message` is shown as it is. Errors that always say the same declare it.

    details: what programs read beside the message, as JSON has it.
    """

    message = ""
    type = "invalid_data"
    code: str | None = None
    details: Mapping[str, object] | None = None

    def __init__(self, message: str = "") -> None:
        self.message = message or self.message
        super().__init__(self.message)


class InvalidData(DomainError):
    """A value is missing, malformed or out of bounds; the message names its field."""


class NotAllowed(DomainError):
    """The request is well formed and refused by a rule of the shop."""

    type = "not_allowed"


class Forbidden(DomainError):
    """The caller is known and lacks the permission."""

    type = "not_allowed"


class Unauthorized(DomainError):
    """A login failed. A request without acceptable credentials is refused by the transport instead."""

    type = "unauthorized"


class NotFound(DomainError):
    """No row with that id is visible to the caller."""

    type = "not_found"


class Duplicate(DomainError):
    """A unique value is taken."""

    type = "duplicate_error"
    code = "invalid_request_error"


class TooManyRequests(DomainError):
    """A throttle's limit is reached; `retry_after` is in seconds."""

    type = "not_allowed"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Conflict(DomainError):
    """Another request holds what this one needs; the same request may be sent again."""

    type = "QueryRunnerAlreadyReleasedError"
    code = "unknown_error"
    message = (
        "The request conflicted with another request. You may retry the request with the provided Idempotency-Key."
    )


class Unavailable(DomainError):
    """The server cannot serve the request now; the caller may retry after `retry_after` seconds."""

    type = "unavailable"
    retry_after = 2


def listed(texts: Iterable[str]) -> str:
    """The first ten texts, each cut: there may be as many as a cart has lines."""
    return ", ".join(map(shown, islice(texts, MOST_NAMED)))


def shown(value: object) -> str:
    """A refused value as a message shows it: a list joined, what is nested deeper by its kind alone, long text cut."""
    if isinstance(value, list):
        return ",".join(_shown_within(item) for item in value[:100])[:100]
    return _shown_within(value)


def _shown_within(value: object) -> str:
    if isinstance(value, (list, dict)):
        return "[object Array]" if isinstance(value, list) else "[object Object]"
    return str(value)[:100]
