"""What an import would do: it reads, holds no lock, and writes nothing but the preview."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from kit.database.read_snapshot import read_snapshot
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.jobs.kinds import Report
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS, Planned, Problem, Record, Spreadsheet
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.records import records
from kit.spreadsheets.uploads import ImportStarted, require

BATCH = 500
"""Records that are planned at a time."""
MOST_PROBLEMS = 1000
"""Problems that a preview names; it counts the records of all."""


def preview(one: Import, *, actor: Actor, report: Report = lambda done, total: None) -> None:
    """Count what each record would become, and keep the version of each. Raises InvalidData, Forbidden, FileGone.

    A file that cannot be read to its end has no preview.
    """
    spreadsheet = SPREADSHEETS.get()[one.spreadsheet]
    require(spreadsheet, actor)
    importer = spreadsheet.importer({field for field in one.mapping if field}, one.options, actor)
    counts, problems, done = Counter[str](), list[list[object]](), 0
    with records(one, spreadsheet) as found, files.new_file(one.pk, "plan") as plan:
        for batch in batches(found, BATCH):
            with read_snapshot():
                planned = importer.plan(batch)
            for each in planned:
                counts[str(each.action)] += 1
                counts["rows"] += len(each.record.rows)
                plan.write(line(each))
                problems += [_told(problem, one, spreadsheet) for problem in each.record.problems]
                done += len(each.record.rows)
            del problems[MOST_PROBLEMS:]
            report(done, done)
    if not counts:
        raise InvalidData("The file has no rows below its headers")
    one.counts, one.problems, one.state = dict(counts), problems, ImportState.PREVIEWED
    changed = {name: getattr(one, name) for name in ("counts", "problems", "state")}
    if not Import.objects.filter(pk=one.pk).exclude(state=ImportState.CONFIRMED).update(**changed):
        raise ImportStarted


def line(planned: Planned) -> bytes:
    """The line of the plan's file: by it, applying knows whether the stored row is still the same."""
    return json.dumps([planned.id, planned.version]).encode() + b"\n"


def batches(found: Iterator[Record], size: int) -> Iterator[Sequence[Record]]:
    """Up to that many records at a time."""
    while batch := list(islice(found, size)):
        yield batch


def _told(problem: Problem, one: Import, spreadsheet: Spreadsheet) -> list[object]:
    """As the import keeps it, with the header of the column."""
    header = one.headers[one.mapping.index(problem.field)] if problem.field in one.mapping else problem.field
    return [problem.row, header if problem.field else "", problem.message]
