"""State machines as tables: which state may follow which."""

from collections.abc import Mapping
from dataclasses import dataclass

from kit.errors import NotAllowed


@dataclass(frozen=True)
class Transitions:
    """The allowed moves of one status-like field. A state without successors is final."""

    of: str
    allowed: Mapping[str, frozenset[str]]

    def check(self, *, before: str, after: str) -> None:
        """Raise NotAllowed unless the move is in the table; an unknown state is a programming error (KeyError)."""
        if after not in self.allowed[before]:
            raise NotAllowed(f"{self.of} is {before} and cannot become {after}")

    @property
    def states(self) -> frozenset[str]:
        """Every state the table knows."""
        return frozenset(self.allowed)
