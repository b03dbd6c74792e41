"""The error for an id without a row, with the same message everywhere.

Why: docs/decisions/http.md#a-missing-row-always-has-the-same-message.
"""

from collections.abc import Hashable
from typing import ClassVar

from django.db import models

from kit.errors import DomainError, NotFound, listed


class RowNotFound(NotFound):
    """Subclasses declare the `noun` of the message and the rows that count."""

    noun: ClassVar[str]

    def __init__(self, id: str) -> None:
        super().__init__(missing(self.noun, id))


class GuessMissed(DomainError):
    """No row is opened by that id or code; misses count toward a throttle (kit/rest/guess_limits.py).

    noun: what it would open. guess: what was guessed; the same guess counts once in a request.
    """

    noun: ClassVar[str]
    guess: Hashable


class GuessedRowNotFound(GuessMissed, RowNotFound):
    """The same for a row that is not found."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.guess = id


def missing(noun: str, *ids: str, field: str | None = None) -> str:
    """`Region with id: reg_x was not found`, and the field that named it, if given. Lists the first ten ids at most."""
    return given_by(f"{noun} with id: {listed(ids)} was not found", field)


def missing_rows(model: type[models.Model], *ids: str, field: str | None = None) -> str:
    """The same for rows of the model."""
    return missing(str(model._meta.verbose_name).capitalize(), *ids, field=field)


def given_by(message: str, field: str | None) -> str:
    """The message, and the field that named its row, if given."""
    return message if field is None else f"{message}, given by field '{field}'"
