"""`manage.py resume_tasks`: finds background tasks that ended without a result; `work` runs it once a minute."""

from commerce.operations.tasks.task_recovery import fail_forgotten_tasks, requeue_refused_tasks
from kit.commands.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Prints how many it found."""

    help = (
        "Mark background tasks as failed that have been running for a day, and requeue tasks that an older version "
        "refused because it did not know their queue."
    )
    examples = ("resume_tasks",)

    def handle(self, *, verbosity: int, **options: object) -> None:
        requeued, forgotten = requeue_refused_tasks(), fail_forgotten_tasks()
        if verbosity:
            self.stdout.write(f"{requeued} requeued, {forgotten} marked as failed")
