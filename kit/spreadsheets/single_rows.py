"""What spreadsheets share in which each row stands for itself, such as prices and stock."""

from collections.abc import Hashable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet

from kit.errors import DomainError
from kit.spreadsheets.declarations import Record, Values

_BATCH = 500
_SAME = "Row {} is about the same thing. Delete one of the two."


def values_of(record: Record) -> Values:
    """Those of its row. Further rows with the same key are problems."""
    for number, _ in record.rows[1:]:
        record.refuse(_SAME.format(record.number), row=number)
    return record.rows[0][1]


def refuse_repeated(
    records: Sequence[Record], named: Sequence[Hashable], claimed: MutableMapping[Hashable, int]
) -> None:
    """Refuse a record that is about the same thing as an earlier one, such as by id where that one has the SKU.

    named: what each is about, None if unknown. claimed: of the importer; what earlier records are about, and their row.

    Records that have problems and were not written before are ignored.
    """
    for record, one in zip(records, named, strict=True):
        if one is None or (record.problems and not record.is_written):
            continue
        first = claimed.setdefault(one, record.number)
        if first != record.number:
            record.refuse(_SAME.format(first))


@dataclass(frozen=True, slots=True)
class Refusing:
    """Makes a DomainError a problem of this field, in the record's first row unless another is given."""

    record: Record
    field: str = ""
    row: int | None = None

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if isinstance(error, DomainError):
            self.record.refuse(error.message, self.field, self.row)
            return True
        return False


def version_of(stored: object) -> str:
    """Differs if what is stored differs. stored: plain values, always in the same order."""
    return sha256(repr(stored).encode()).hexdigest()[:16]


def batches_of(rows: QuerySet[Any]) -> Iterator[Sequence[Any]]:
    """All these rows by id, some hundred at a time."""
    last = ""
    while batch := [*rows.filter(pk__gt=last).order_by("pk")[:_BATCH]]:
        yield batch
        last = batch[-1].pk
