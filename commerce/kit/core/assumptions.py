"""What a request assumes about its caller instead of asking, until a statement that it runs anyway confirms it."""

from collections.abc import Callable
from typing import Any

from commerce.kit.core.database import fetch


class Unconfirmed(Exception):
    """The assumption does not hold: the request must ask first, as if nothing had been assumed."""


class Assumption:
    """text: an SQL expression that is true while the assumption holds; it refers to no column around it.

    parameters: the values of its placeholders. on_confirmed: called when the database has confirmed it.
    """

    __slots__ = ("_on_confirmed", "is_confirmed", "parameters", "text")

    def __init__(self, text: str, parameters: tuple[Any, ...], on_confirmed: Callable[[], None]) -> None:
        self.text, self.parameters, self._on_confirmed = text, parameters, on_confirmed
        self.is_confirmed = False

    def take(self, holds: object) -> None:
        """Take what the database says. Raises Unconfirmed."""
        if not holds:
            raise Unconfirmed
        self.is_confirmed = True
        self._on_confirmed()

    def ask(self) -> None:
        """Ask the database, with a statement of its own. Raises Unconfirmed."""
        ((holds,),) = fetch(f"SELECT {self.text}", self.parameters)
        self.take(holds)
