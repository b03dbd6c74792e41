"""`manage.py deliver_webhooks`: delivers webhooks beside `serve`, whose background process does the same."""

from argparse import ArgumentParser

from kit.commands.interruption import stop_signal
from kit.commands.operator_command import OperatorCommand
from kit.messages.webhooks.delivery.working import deliver_all, deliver_until


class Command(OperatorCommand):
    """Ends on SIGTERM or SIGINT, after the deliveries that have begun; else only when the database is lost."""

    help = (
        "Deliver events to webhook endpoints until SIGTERM. The background process of `serve` does the same: run the "
        "command only for additional workers."
    )
    examples = ("deliver_webhooks", "deliver_webhooks --once")
    interruption = "a delivery that had begun is repeated; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="deliver what is due, and end")

    def handle(self, *, once: bool, **options: object) -> None:
        if once:
            deliver_all()
            return
        deliver_until(stop_signal())
