"""Work before an action's transaction: it takes its time, as asking a provider does, or cannot be undone.

It runs once, however often the transaction is tried; and the action itself raises its error, so that an Idempotency-Key
keeps its refusals like all others.
Why: docs/decisions/http.md#work-before-a-transaction-is-skipped-on-replay.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast

from rest_framework.request import Request

E = TypeVar("E")
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")


def before_transaction(
    work: Callable[Concatenate[E, Request, P], T],
) -> Callable[[Callable[Concatenate[E, Request, T, P], R]], Callable[Concatenate[E, Request, T, P], R]]:
    """Decorate an action of an endpoint: `work`, another method of it, runs before the action's transaction.

    `work` takes the request and the path's parameters, and reads `idempotency_digest` (None without an
    Idempotency-Key). The action takes its result behind the request, and its error is raised in the action's
    transaction. If the key has a stored answer, neither runs.
    """

    def decorate(action: Callable[Concatenate[E, Request, T, P], R]) -> Callable[Concatenate[E, Request, T, P], R]:
        vars(action)[_WORK] = work
        return action

    return decorate


def work_before(action: Callable[..., Any]) -> Callable[..., Any] | None:
    """The method that runs before the transaction of an endpoint's action, if any; it takes the endpoint first."""
    return getattr(action, _WORK, None)


@dataclass(frozen=True, slots=True)
class Preparation(Generic[T]):
    """The result of such work, or the error that the action raises in its place."""

    value: T | None = None
    failure: Exception | None = None

    @classmethod
    def of(cls, work: Callable[[], T]) -> "Preparation[T]":
        """Do the work. Raises nothing."""
        try:
            return cls(work())
        except Exception as failure:  # noqa: BLE001 - the action raises it
            return cls(failure=failure)

    def result(self) -> T:
        """The value. Raises the failure."""
        if self.failure is not None:
            raise self.failure
        return cast(T, self.value)


_WORK = "work_before_transaction"
