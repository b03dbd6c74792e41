"""Collecting all that is wrong with what was sent, so that one answer names it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from kit.errors import MOST_NAMED, Conflict, DomainError, Forbidden, InvalidData


class Fault(NamedTuple):
    """Why a field is refused. field: its path, `items[2].quantity`."""

    field: str
    error: DomainError


class CartFaults(InvalidData):
    """A cart cannot have these parts. The message names the first ten; `details` hold all of them."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = [*faults]
        named = [f"{each.field}: {each.error.message}" for each in self.faults[:MOST_NAMED]]
        super().__init__(f"Invalid request: {'; '.join(named)}")
        self.details = {
            "faults": [
                {"field": each.field, "type": each.error.type, "code": each.error.code, "message": each.error.message}
                for each in self.faults
            ]
        }


@dataclass(slots=True)
class Faults:
    """Those found so far."""

    found: list[Fault] = field(default_factory=list)

    def add(self, field: str, error: DomainError) -> None:
        """Keep another one."""
        self.found.append(Fault(field, error))

    @contextmanager
    def of(self, field: str) -> Iterator[None]:
        """Keep what refuses the field, and go on behind the block.

        A conflict is no fault of what was sent, and a missing permission none of a field.
        """
        try:
            yield
        except (Conflict, Forbidden):
            raise
        except DomainError as error:
            self.add(field, error)

    def raise_any(self) -> None:
        """Raise CartFaults if there are any."""
        if self.found:
            raise CartFaults(self.found)
