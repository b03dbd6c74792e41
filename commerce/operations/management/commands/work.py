"""`manage.py work`: the background process; `serve` runs it."""

from argparse import ArgumentParser
from threading import Thread

from commerce.operations.server.parent_process import end_with_parent
from commerce.operations.tasks.background_workers import background_work
from commerce.operations.tasks.scheduled_commands import chores
from commerce.operations.tasks.work_threads import keep_working, name_argument, name_process
from kit.commands.interruption import stop_signal
from kit.commands.operator_command import OperatorCommand
from kit.database.claims import claim_as
from kit.messages.mails.leases import MAILS
from kit.messages.webhooks.delivery.leases import DELIVERIES
from kit.observability import metering
from orders.fulfillments.sending import REQUESTS


def free_claims_of(name: str) -> None:
    """Free the emails, deliveries and requests to carriers that the killed process of this name had in hand."""
    for leased in (MAILS, DELIVERIES, REQUESTS):
        leased.free_claims_of(name)


class Command(OperatorCommand):
    """Ends on SIGTERM or SIGINT, after the work that has begun; chores are interrupted.

    In a `serve` with METRICS_PORT, it also serves the metrics of all processes.
    """

    help = "Do the background work: tasks, jobs, emails, webhooks and what is due at intervals."
    examples = ("work",)
    requires_system_checks = []  # `serve` has run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        name_argument(parser)

    def handle(self, *, name: str, **options: object) -> None:
        end_with_parent()
        stopped = stop_signal()
        name_process("background work")
        if metering.IS_ON:
            from commerce.operations.monitoring.metrics_server import serve_metrics  # noqa: PLC0415 - not loaded if metrics are off

            serve_metrics()
        claim_as(name)
        free_claims_of(name)
        for chore, work in chores().items():
            Thread(target=keep_working, args=(chore, work, stopped), name=chore, daemon=True).start()
        threads = [
            Thread(target=keep_working, args=(kind, work, stopped), name=kind)
            for kind, work in background_work(name).items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
