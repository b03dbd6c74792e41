"""What comes before the transaction of an action: it takes its time, as asking a provider does, or cannot be undone.

It is done once, however often the transaction is tried; and whatever it raises is raised by the action itself, so that
an Idempotency-Key keeps its refusals like all others. Source: behaviour.md 0.13, 0.27.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Preparation:
    """What came of it: values for the action, or what the action raises in their place."""

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
