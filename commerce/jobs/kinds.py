"""What jobs can be about: apps provide the code, settings.JOB_KINDS names it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from commerce.jobs.models import Job


@dataclass(frozen=True, slots=True)
class Piece:
    """The work on one row.

    label: the row's name. do: called in a transaction; it raises DomainError where the row is refused, and Forbidden
    where the job's actor lacks a permission, which ends the job.
    """

    label: str
    do: Callable[[], object]


Kind = Callable[[Job, Sequence[str]], Mapping[str, Piece]]
"""The pieces for these keys of the job, without those whose rows are gone. Reads the actor's present permissions, and
raises Forbidden where they no longer suffice."""


def pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The work on these rows of the job, by key."""
    kind: Kind = import_string(settings.JOB_KINDS[job.kind])
    return kind(job, keys)
