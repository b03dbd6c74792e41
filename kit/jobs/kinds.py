"""The kinds of jobs. Packages above this one implement them, and commerce/wiring.py registers them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.jobs.models import Job


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has become of a row. is_skipped: nothing was left to do. record: writes more in the same transaction."""

    text: str
    is_skipped: bool = False
    record: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class Piece:
    """The work on one row.

    label: the row's name. do: called in a transaction; it raises DomainError if the row is refused, and Forbidden if
    the job's actor lacks a permission, which ends the job. A Piece with `about` returns an Outcome.
    about: the id to which the row's result links, or "". None if the job tells only which rows were refused.
    is_outside: `do` is called outside of transactions, since it asks others. It is called again after a crash, and must
    then act only once and return the same.
    """

    label: str
    do: Callable[[], object]
    about: str | None = None
    is_outside: bool = False


Kind = Callable[[Job, Sequence[str]], Mapping[str, Piece]]
"""Returns the pieces for these keys, except those of missing rows. Reads the actor's present permissions, and raises
Forbidden if they no longer suffice."""

JOB_KINDS = Wired[Mapping[str, Kind]]("the kinds of jobs")
"""The code of each kind, by the name that jobs store."""

Report = Callable[[int, int], None]
"""Called with the number of finished rows and the number of all rows, as often as convenient."""


@dataclass(frozen=True, slots=True)
class SingleStep:
    """A kind of job that is done in a single step, and restarts if its worker dies.

    do: does the work, and returns the number of rows. Raises DomainError if the job's actor may not do it, or may no
    longer do it. result: the URL of what the job made; None if this actor may not have it. discard: deletes what a job
    made that was canceled or failed; None if that stays.
    """

    do: Callable[[Job, Report], int]
    result: Callable[[Job, Actor], str | None] = lambda job, actor: None
    discard: Callable[[Job], None] | None = None


SINGLE_STEP_JOBS = Wired[Mapping[str, SingleStep]]("the kinds of single-step jobs")
"""By the name that jobs store."""


def pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The work on these rows of the job, by key."""
    return JOB_KINDS.get()[job.kind](job, keys)
