"""The kinds of jobs: apps provide the code, settings.JOB_KINDS names it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from commerce.kit.jobs.models import Job


@dataclass(frozen=True, slots=True)
class Piece:
    """The work on one row.

    label: the row's name. do: called in a transaction; it raises DomainError if the row is refused, and Forbidden if
    the job's actor lacks a permission, which ends the job.
    """

    label: str
    do: Callable[[], object]


Kind = Callable[[Job, Sequence[str]], Mapping[str, Piece]]
"""Returns the pieces for these keys, except those of missing rows. Reads the actor's present permissions, and raises
Forbidden if they no longer suffice."""


def pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The work on these rows of the job, by key."""
    kind: Kind = import_string(settings.JOB_KINDS[job.kind])
    return kind(job, keys)
