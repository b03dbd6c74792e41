"""The batches of an import: what each writes, in one transaction with its results and its part of the undo file."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from django.db import transaction

from kit.database.locking import lock_row, retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError, NotAllowed
from kit.jobs.models import LABEL_MAX_LENGTH
from kit.spreadsheets import files
from kit.spreadsheets.declarations import Planned, Record, Result, Spreadsheet, Written
from kit.spreadsheets.exports import text_rows
from kit.spreadsheets.models import Import, ImportResult
from kit.spreadsheets.plans import Seen, refusal_of
from kit.spreadsheets.repetitions import Repetition
from kit.values.timestamps import now

Counts = Mapping[str, int]
_CHANGED = "Somebody changed this after the preview, so it was skipped. Upload the file again to see the difference."


class _RefusedTogether(Exception):
    """A record of several is refused: each half has a transaction of its own."""


class Work:
    """The batches of one import. keep: see `apply`."""

    def __init__(self, one: Import, spreadsheet: Spreadsheet, actor: Actor, keep: Callable[[Counts], None]) -> None:
        self._one, self._spreadsheet, self._keep = one, spreadsheet, keep
        fields = {field for field in one.mapping if field}
        self._importer = spreadsheet.importer(fields, one.options, actor)
        self._repetition = Repetition(one, spreadsheet)  # of what was written since the preview, too

    def prepare(self, batch: Sequence[tuple[Record, Seen]], go_on: Callable[[], None]) -> None:
        """What comes before the transactions of these records: see Importer."""
        self._importer.prepare([record for record, seen in batch if not seen.refusal], go_on)

    def do_all(self, batch: Sequence[tuple[Record, Seen]]) -> None:
        """Apply these records. A refused batch is halved until it is clear whose refusal it is."""
        try:
            retry_on_conflict(partial(self._do, batch))
        except _RefusedTogether:
            half = len(batch) // 2
            self.do_all(batch[:half])
            self.do_all(batch[half:])

    def _do(self, batch: Sequence[tuple[Record, Seen]]) -> None:
        """Apply these records, and record that they are done. Each has what the preview has seen."""
        try:
            with transaction.atomic():
                place = self._apply(batch)
        except BaseException:
            self._importer = self._importer.renewed()  # what it has read may be rolled back
            raise
        vars(self._one).update(place)

    def _apply(self, batch: Sequence[tuple[Record, Seen]]) -> dict[str, object]:
        stored = lock_row(Import.objects.all(), self._one.pk)
        if stored is None or stored.position != self._one.position:
            raise NotAllowed("Another process is already applying this import.")
        left = [(record, seen) for record, seen in batch if seen.refusal]
        taken = [(record, seen) for record, seen in batch if not seen.refusal]
        self._importer.lock([seen.id for _, seen in taken if seen.id])
        records = [Record(record.key, record.rows, [*record.problems]) for record, _ in taken]
        self._repetition.mark(records)
        planned = self._importer.plan(records)
        self._repetition.refuse(planned)
        results, ready = list[ImportResult](), list[Planned]()
        for record, seen in left:
            results.append(self._result(Planned(record, seen.label, seen.id), Result.PROBLEM, seen.refusal))
        for each, (_, seen) in zip(planned, taken, strict=True):
            if each.action == Result.PROBLEM:
                refusal = refusal_of(each.record, self._one, self._spreadsheet)
                results.append(self._result(each, Result.PROBLEM, refusal))
            elif (each.id, each.version) != (seen.id, seen.version):
                results.append(self._result(each, Result.SKIPPED, _CHANGED))
            elif each.action == Result.UNCHANGED:
                results.append(self._result(each, Result.UNCHANGED))
            else:
                ready.append(each)
        saved = list[Sequence[object]]()
        for each, written in self._written(ready):
            if isinstance(written, DomainError):
                results.append(self._result(each, Result.PROBLEM, written.message))
                continue
            if written.undo_rows:
                saved.append(text_rows(self._spreadsheet, written.undo_rows))
            results.append(self._result(each, each.action, about=written.id))
            results += [
                self._result(each, Result.NEW, about=key, label=label, is_addition=True)
                for key, label in written.additions
            ]
        results.sort(key=lambda result: result.row)
        ImportResult.objects.bulk_create(one for one in results if one.action != Result.UNCHANGED)
        done = Counter(self._one.done) + Counter(str(one.action) for one in results if not one.is_addition)
        place = {
            "position": self._one.position + len(batch),
            "undo_size": self._save(saved),
            "done": dict(done),
            "created_at": now(),
        }
        Import.objects.filter(pk=self._one.pk).update(**place)
        self._keep(done)
        return place

    def _written(self, ready: Sequence[Planned]) -> list[tuple[Planned, Written | DomainError]]:
        """What has become of each. Raises _RefusedTogether."""
        if not ready:
            return []
        try:
            with transaction.atomic():
                written = self._importer.write(ready)
        except Conflict:
            raise
        except DomainError as refusal:
            if len(ready) > 1:
                raise _RefusedTogether from refusal
            self._importer = self._importer.renewed()
            return [(ready[0], refusal)]
        return [*zip(ready, written, strict=True)]

    def _save(self, saved: Iterable[Sequence[object]]) -> int:
        """Append to the undo file, after cutting off what a rolled back transaction left there. Returns its size."""
        path = files.path_of(self._one.pk, "undo")
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            file.truncate(self._one.undo_size)
            file.seek(self._one.undo_size)
            for rows in saved:
                file.write(json.dumps(rows, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            return file.tell()

    def _result(
        self,
        planned: Planned,
        action: str,
        text: str = "",
        *,
        about: str = "",
        label: str = "",
        is_addition: bool = False,
    ) -> ImportResult:
        return ImportResult(
            of=self._one,
            row=planned.record.number,
            about=about or planned.id or "",
            label=(label or planned.label)[:LABEL_MAX_LENGTH],
            action=action,
            text=text,
            is_addition=is_addition,
        )
