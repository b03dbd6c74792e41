"""The outcome of a verb that runs concurrently with others."""

from collections.abc import Callable

from kit.errors import DomainError, Unavailable


def outcome(work: Callable[[], object]) -> str:
    """`done`, or the name of the refusal."""
    try:
        work()
    except (DomainError, Unavailable) as refusal:
        return type(refusal).__name__
    return "done"
