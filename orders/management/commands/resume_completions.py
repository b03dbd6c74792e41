"""`manage.py resume_completions`: finishes completions whose request is gone; `serve` runs it once a minute."""

from argparse import ArgumentParser

from kit.commands.operator_command import OperatorCommand
from orders.completion.resuming import resume_all, resume_due_attempts


class Command(OperatorCommand):
    """For carts that were paid while nobody waited, and for attempts that no process finished.

    `serve` runs it with --attempts every few seconds.
    """

    help = "Settle open attempts to complete a cart, complete paid carts, and refund money that no order claims."
    examples = ("resume_completions",)
    interruption = "what it had begun is settled by the next run; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--attempts",
            action="store_true",
            help="only settle attempts whose provider has answered",
        )

    def handle(self, *, verbosity: int, attempts: bool, **options: object) -> None:
        done = resume_due_attempts() if attempts else resume_all()
        if verbosity:
            self.stdout.write(f"{done.attempts} attempts and {done.carts} carts resumed, {done.refunds} refunded")
