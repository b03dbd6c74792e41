"""Files that are imported again, within the day that imports live.

A difference would be booked once more. So of a file with one, rows that were written are left alone.
"""

from collections.abc import Sequence

from kit.spreadsheets.columns import with_stems
from kit.spreadsheets.declarations import Planned, Problem, Record, Result, Spreadsheet
from kit.spreadsheets.models import Import, ImportResult

_WRITTEN = "An import of this file has written this row already. To book its stock again, change the file."


class Repetition:
    """The rows of this import that other imports of the same file have written."""

    def __init__(self, one: Import, spreadsheet: Spreadsheet) -> None:
        self._rows: set[int] = set()
        if _books(one, spreadsheet):
            others = Import.objects.filter(spreadsheet=one.spreadsheet, digest=one.digest).exclude(pk=one.pk)
            written = ImportResult.objects.filter(
                of__in=[other.pk for other in others if _books(other, spreadsheet)],
                action__in=(Result.NEW, Result.CHANGED),
            )
            self._rows.update(written.values_list("row", flat=True))

    def mark(self, records: Sequence[Record]) -> None:
        """Mark the records that begin with these rows: what they are about is theirs, whatever problems they have."""
        for record in records:
            record.is_written = record.number in self._rows

    def refuse(self, planned: Sequence[Planned]) -> None:
        """Refuse the marked records, unless nothing is to be done with them."""
        for each in planned:
            record = each.record
            if record.is_written and each.action != Result.UNCHANGED:
                record.problems[:] = [Problem(record.number, "", _WRITTEN)]


def _books(one: Import, spreadsheet: Spreadsheet) -> bool:
    return bool(with_stems(((field, None) for field in one.mapping), spreadsheet.booked))
