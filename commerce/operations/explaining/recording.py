"""Records the statements of a read, and what each of them reads.

The latter is found in the frames that are running, so that the reads need not report it and requests pay nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from inspect import currentframe
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.db import connections

from commerce.operations.explaining.places import Named, at
from kit.query.selection import Selection
from kit.reads import reading
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.plans.levels import BatchCell, Join, Level
from kit.reads.relatives import Reader
from kit.rest.responses.errors import is_our_code

_READ = (reading.read_page.__code__, reading.read_one.__code__)
_FETCH = vars(reading)["_fetch_rows"].__code__
_ATTACH, _COMPUTE = (vars(Reader)[name].__code__ for name in ("_attach", "_compute"))
_READS = re.compile(r"[\s(]*(SELECT|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|SHOW)\b")


class WouldWrite(Exception):
    """The statement writes. It was not run."""


@dataclass(frozen=True)
class LevelRead:
    """The objects of an answer that a statement is about.

    joins: the relations that lead to them. holder: has the last of these. part: what of a list is read.
    cell: what a call computes for these objects, if it ran the statement.
    """

    serializer_class: ResourceSerializerClass
    selection: Selection
    level: Level
    query: reading.ListQuery
    joins: tuple[Join, ...] = ()
    holder: ResourceSerializerClass | None = None
    part: str = "page"
    cell: BatchCell | None = None


@dataclass(frozen=True)
class Ran:
    """A statement that was run, with its values. run_by: the innermost function that the statement belongs to."""

    sql: str
    run_by: Named
    level_read: LevelRead | None


@contextmanager
def recorded() -> Iterator[list[Ran]]:
    """The statements of the block. Raises WouldWrite for one that writes, at the end of the block, too."""
    ran: list[Ran] = []
    refusals: list[WouldWrite] = []

    def record(execute: Callable[..., Any], sql: str, values: Any, many: bool, context: dict[str, Any]) -> Any:
        if not _READS.match(sql):
            refusals.append(WouldWrite(sql))
            raise refusals[0]
        frames = list(_frames())[::-1]
        operations = context["connection"].ops  # PostgreSQL's would know the text only once it was executed
        compose = getattr(operations, "compose_sql", partial(operations.last_executed_query, context["cursor"]))
        ran.append(Ran(compose(sql, values), _run_by(frames), _level_read(frames)))
        return execute(sql, values, many, context)

    with ExitStack() as stack:
        for connection in connections.all():
            stack.enter_context(connection.execute_wrapper(record))
        yield ran
    if refusals:
        raise refusals[0]


def _frames() -> Iterator[FrameType]:
    """The running frames, the innermost first."""
    frame = currentframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def _run_by(frames: Sequence[FrameType]) -> Named:
    """The innermost function of the shop above those that all statements go through."""
    carriers = (Path(__file__), settings.KIT / "reads" / "sql")
    paths = [(frame, Path(frame.f_code.co_filename)) for frame in frames]
    *_, (frame, path) = (
        (frame, path) for frame, path in paths if is_our_code(path) and not any(map(path.is_relative_to, carriers))
    )
    return frame.f_code.co_qualname, at(path, frame.f_lineno)


def _level_read(frames: Sequence[FrameType]) -> LevelRead | None:
    read: LevelRead | None = None
    for frame in frames:
        code, names = frame.f_code, frame.f_locals
        if code in _READ and "level" in names:
            query = names["query"]
            read = LevelRead(names["serializer_class"], query.selection, names["level"], query)
        elif read and code is _FETCH:
            read = replace(read, part=names["part"])
        elif read and code is _ATTACH:
            join: Join = names["join"]
            below = read.selection.relation(join.name) or Selection(())
            joins = (*read.joins, join)
            read = LevelRead(join.relation.to(), below, join.level, read.query, joins, read.serializer_class)
        elif read and code is _COMPUTE:
            read = replace(read, cell=names["cell"])
    return read
