"""`manage.py work_jobs`: runs the jobs that staff start; the background process of `serve` runs it when a job waits."""

from argparse import ArgumentParser

from commerce.operations.server.parent_process import end_with_parent
from commerce.operations.tasks.background_workers import jobs_worker
from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.work_threads import name_argument, name_process
from kit.commands.interruption import stop_signal
from kit.commands.operator_command import OperatorCommand
from kit.jobs.queues import JOB_QUEUES
from kit.jobs.turns import LEASE


class Command(OperatorCommand):
    """Ends when no job has waited for a while, or on SIGTERM or SIGINT after the turn that is running."""

    help = "Run the jobs that staff start: exports, bulk changes, pictures."
    examples = ("work_jobs",)
    requires_system_checks = []  # `serve` has run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        name_argument(parser)

    def handle(self, *, name: str, **options: object) -> None:
        end_with_parent()
        name_process("jobs")
        # A job that ends in time leaves a task for the end of its lease: another process would be started for it.
        idle_seconds = LEASE.total_seconds() + 5
        QueueWorker(JOB_QUEUES, stop_signal(), worker_id=jobs_worker(name), idle_seconds=idle_seconds).run()
