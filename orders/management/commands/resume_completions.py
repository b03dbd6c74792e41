"""`manage.py resume_completions`: finishes completions whose request is gone; `serve` runs it once a minute."""

from kit.commands.operator_command import OperatorCommand
from orders.completion.resuming import resume_all


class Command(OperatorCommand):
    """For carts that were paid while nobody waited, and for attempts that no process finished."""

    help = "Settle open attempts to complete a cart, complete paid carts, and refund money that no order claims."
    examples = ("resume_completions",)
    interruption = "what it had begun is settled by the next run; you can run the command again"

    def handle(self, *, verbosity: int, **options: object) -> None:
        done = resume_all()
        if verbosity:
            self.stdout.write(f"{done.attempts} attempts and {done.carts} carts resumed, {done.refunds} refunded")
