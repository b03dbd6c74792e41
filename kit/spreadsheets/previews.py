"""What an import would do: it reads, holds no lock, and writes nothing but the preview."""

from collections import Counter
from contextlib import ExitStack
from itertools import islice

from django.db import transaction

from kit.database.read_snapshot import read_snapshot
from kit.domain.actor import Actor
from kit.errors import InvalidData, NotAllowed
from kit.jobs.kinds import Report
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.plans import line_of
from kit.spreadsheets.records import MOST_ROWS, header_of, records
from kit.spreadsheets.repetitions import Repetition
from kit.spreadsheets.uploads import lock_changeable

BATCH = 500
"""Records that are planned at a time."""
MOST_PROBLEMS = 1000
"""Problems that a preview names; it counts the records of all."""


def preview(one: Import, *, actor: Actor, report: Report = lambda done, total: None, most: int = MOST_ROWS) -> None:
    """Count what each record would become, and keep the version and the problems of each.

    Raises InvalidData, Forbidden, FileGone. A file that cannot be read to its end has no preview. Nor has one whose
    columns or options were changed meanwhile: it raises NotAllowed, or ImportStarted if it was confirmed.

    most: rows of the file.
    """
    spreadsheet = SPREADSHEETS.get()[one.spreadsheet]
    spreadsheet.require_import(actor, one.options)
    importer = spreadsheet.importer({field for field in one.mapping if field}, one.options, actor)
    repetition = Repetition(one, spreadsheet)
    counts, problems, done = Counter[str](), list[list[object]](), 0
    with ExitStack() as opened:
        found = opened.enter_context(records(one, spreadsheet, most))
        plan = opened.enter_context(files.new_file(one.pk, "plan"))
        while batch := [*islice(found, BATCH)]:
            repetition.mark(batch)
            with read_snapshot():
                planned = importer.plan(batch)
            repetition.refuse(planned)
            for each in planned:
                counts[str(each.action)] += 1
                counts["rows"] += len(each.record.rows)
                plan.write(line_of(each, one, spreadsheet))  # so that applying sees what has changed
                problems += [
                    [problem.row, header_of(problem.field, one, spreadsheet), problem.message]
                    for problem in each.record.problems
                ]
                done += len(each.record.rows)
            del problems[MOST_PROBLEMS:]
            report(done, done)  # the total is not known before the end
        if not counts:
            raise InvalidData("The file has headers but no rows.")
        with transaction.atomic():
            stored = lock_changeable(one)
            if any(getattr(stored, name) != getattr(one, name) for name in ("reading", "mapping", "options")):
                raise NotAllowed("The columns or options were changed during the preview. Preview the file again.")
            opened.close()  # the plan appears with the preview that belongs to it
            one.counts, one.problems, one.state = dict(counts), problems, ImportState.PREVIEWED
            one.save(update_fields=("counts", "problems", "state"))
