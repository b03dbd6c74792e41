"""Writing an export: CSV as in RFC 4180, in UTF-8, of a single point in time."""

import codecs
from collections.abc import Callable, Iterable
from typing import BinaryIO

from kit.database.read_snapshot import read_snapshot
from kit.domain.actor import Actor
from kit.values.csv_format import PLAIN, CsvFormat
from orders.reports.export.choice import Choice
from orders.reports.export.columns import formatted
from orders.reports.export.kinds import Kind

Batches = Iterable[list[list[str]]]
Watch = Callable[[Batches, int], Batches]
"""Passes the batches on and shows how far the export is; also given the number of all rows."""


def write(
    file: BinaryIO, kind: Kind, *, actor: Actor, choice: Choice, watch: Watch, csv_format: CsvFormat = PLAIN
) -> int:
    """Write a line of names, then a line for each row that the actor may see. Returns the number of rows."""
    written = 0
    lines = csv_format.writer(codecs.getwriter("utf-8")(file))
    lines.writerow(column.name for column in kind.columns)
    with read_snapshot():
        chosen = kind.rows(actor, choice)
        for batch in watch(kind.read(chosen), chosen.count()):
            lines.writerows(batch if csv_format == PLAIN else formatted(batch, kind.columns, csv_format))
            written += len(batch)
    file.flush()
    return written
