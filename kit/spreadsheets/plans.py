"""The plan of an import: a line for each record of its file, with what the preview has found."""

import json
from typing import NamedTuple

from kit.spreadsheets.declarations import Planned, Record, Spreadsheet
from kit.spreadsheets.models import Import
from kit.spreadsheets.records import header_of, problem_line
from kit.values.counted import counted

_MOST_SAID = 20
"""Problems of a record that its result names."""


class Seen(NamedTuple):
    """id, version: as in Planned. refusal: why the record is left alone, "" if it is not."""

    id: str | None
    version: str
    label: str
    refusal: str


def line_of(planned: Planned, one: Import, spreadsheet: Spreadsheet) -> bytes:
    """The line of a record."""
    refusal = refusal_of(planned.record, one, spreadsheet)
    seen = Seen(planned.id, planned.version, planned.label if refusal else "", refusal)
    return json.dumps(seen, ensure_ascii=False).encode() + b"\n"


def seen_in(line: bytes) -> Seen:
    """What a line of the plan says."""
    return Seen(*json.loads(line))


def refusal_of(record: Record, one: Import, spreadsheet: Spreadsheet) -> str:
    """One line for each of the first problems, with its row and column. "" if there are none."""
    said = []
    for problem in record.problems[:_MOST_SAID]:
        header = header_of(problem.field, one, spreadsheet)
        said.append(problem_line(problem.row, header, problem.message))
    if more := len(record.problems) - len(said):
        said.append(f"It has {counted(more, 'more problem')}.")
    return "\n".join(said)
