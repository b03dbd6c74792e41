"""`manage.py resume_tasks`: finds background tasks that ended without a result; `work` runs it once a minute."""

from commerce.kit.core.operator_command import OperatorCommand
from commerce.operations.task_recovery import fail_forgotten_tasks, requeue_refused_tasks


class Command(OperatorCommand):
    """Prints how many it found."""

    help = (
        "Queue background tasks again that an older version has refused, since it does not know their queue, and list "
        "those as failed that have been running for a day."
    )
    examples = ("resume_tasks",)

    def handle(self, *, verbosity: int, **options: object) -> None:
        requeued, forgotten = requeue_refused_tasks(), fail_forgotten_tasks()
        if verbosity:
            self.stdout.write(f"{requeued} queued again, {forgotten} listed as failed")
