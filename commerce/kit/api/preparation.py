"""Work before the transaction of an action: calls to a provider, which are slow or cannot be undone.

It is done once, even if the transaction is retried. The action raises its error, so that an Idempotency-Key stores its
refusals like all others. Source: behaviour.md 0.13, 0.27.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Preparation:
    """The result of the work: values for the action, or the error that the action raises instead."""

    values: Mapping[str, Any] = field(default_factory=dict)
    failure: Exception | None = None

    @classmethod
    def of(cls, work: Callable[[], Mapping[str, Any]]) -> "Preparation":
        """Do the work. Raises nothing."""
        try:
            return cls(work())
        except Exception as failure:  # noqa: BLE001 - the action raises it
            return cls(failure=failure)

    def result(self) -> Mapping[str, Any]:
        """The values. Raises the failure."""
        if self.failure is not None:
            raise self.failure
        return self.values
