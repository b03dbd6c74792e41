"""`manage.py acknowledge_tasks`: lists failed background tasks, and marks them as seen."""

from argparse import ArgumentParser
from collections.abc import Sequence
from uuid import UUID

from django.core.management.base import CommandError
from django.db import transaction

from commerce.operations.tasks.task_acknowledgement import acknowledge_task, unacknowledged_failures
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError


class Command(OperatorCommand):
    """Prints each task with its id, when it failed, and its error."""

    help = (
        "Acknowledge failed background tasks, so that metrics and alerts no longer count them. Without ids, list those "
        "that nobody has acknowledged. A task that is retried and fails again is counted again."
    )
    examples = ("acknowledge_tasks", "acknowledge_tasks --all")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", type=UUID, metavar="ID", help="the id of a failed task")
        parser.add_argument("--all", action="store_true", help="all that are listed")

    def handle(self, *, ids: Sequence[UUID], all: bool, **options: object) -> None:
        if ids and all:
            raise CommandError("Name ids or --all, not both.")
        failures = {failure.pk: failure for failure in unacknowledged_failures().order_by("finished_at", "pk")}
        chosen = list(failures if all else dict.fromkeys(ids))
        if chosen:
            _acknowledge(chosen)
            self.stdout.write(f"{len(chosen)} acknowledged")
            return
        for pk, failure in failures.items():
            failed_at = f"{failure.finished_at:%Y-%m-%d %H:%M:%S} UTC"
            self.stdout.write(f"{pk}  {failed_at}  {failure.task_path}  {failure.exception_class_path}")
        self.stdout.write(f"{len(failures)} not acknowledged")


@transaction.atomic
def _acknowledge(ids: Sequence[UUID]) -> None:
    """All of them, or none."""
    for pk in ids:
        try:
            acknowledge_task(actor=SYSTEM, task_id=pk)
        except DomainError as refusal:
            raise CommandError(f"{pk}: {refusal.message}") from refusal
