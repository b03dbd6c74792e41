"""The desired states of a batch of rows, and the result: the written rows, or all faults."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Generic, TypeVar

from django.db import models

from kit.domain.absent import ABSENT
from kit.errors import Conflict, DomainError

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """The desired state of a row.

    Subclasses add its attributes and many-to-many fields. Their default is ABSENT, which keeps the stored value.

    id: of the stored row, None for a new one. version: `updated_at` as the caller has read it; if the row has another
    by now, the edit is refused. new_id, created_at: of a new row that brings them along, from a form or a shop file.
    merges_metadata: whether the given metadata is merged with the stored one (kit/values/metadata.py), as by an API;
    otherwise it replaces that.
    """

    id: str | None = None
    version: datetime | None = None
    new_id: str | None = None
    created_at: datetime | None = None
    merges_metadata: bool = False

    def given_values(self) -> dict[str, object]:
        """The values that are not ABSENT, by name."""
        named = ((field.name, getattr(self, field.name)) for field in fields(self) if field.name not in _IDENTITY)
        return {name: value for name, value in named if value is not ABSENT}


State = TypeVar("State", bound=RowState)
_IDENTITY = frozenset(field.name for field in fields(RowState))


@dataclass(frozen=True, slots=True)
class Edited(Generic[Row]):
    """A written row. is_changed: whether the edit has changed it; of a new one always."""

    row: Row
    is_new: bool
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a state is refused. index: its place in the batch. field: the attribute, "" for the row as a whole."""

    index: int
    field: str
    error: DomainError

    def placed_error(self) -> DomainError:
        """The error, whose message names the field; in a part of the row with its place, like `prices[1].amount`."""
        if self.field not in self.error.message:
            self.error.message = f"{self.field}: {self.error.message}"
        return self.error


class RowsRefused(DomainError):
    """Nothing was written. It has the message, type and code of the first fault. model: the table of the rows."""

    def __init__(self, model: type[models.Model], faults: Sequence[Fault]) -> None:
        first = faults[0].error
        super().__init__(first.message)
        self.type, self.code = first.type, first.code
        self.model, self.faults = model, tuple(faults)


class VersionOutdated(Conflict):
    """The row was changed after the caller had read it."""

    def __init__(self, row: models.Model) -> None:
        noun = str(row._meta.verbose_name)
        super().__init__(f"The {noun} {row.pk} has changed since it was read. Read it again before you change it.")
