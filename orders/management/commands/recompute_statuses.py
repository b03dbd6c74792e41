"""`manage.py recompute_statuses`: recomputes the statuses of orders."""

from kit.commands.operator_command import OperatorCommand
from orders.managing.status_recomputing import recompute


class Command(OperatorCommand):
    """Prints how many orders had a wrong status, which `verify_ledger` lists; on a terminal, the progress."""

    help = (
        "Recompute the payment status and the fulfillment status of all orders from their payments and lines. Needed "
        "only after an upgrade that names it, or after rows were written by SQL. Orders can be placed and changed "
        "while the command runs."
    )
    examples = ("recompute_statuses",)
    interruption = "what was corrected is kept; run the command again to correct the rest"

    def handle(self, *, verbosity: int, **options: object) -> None:
        checked = corrected = 0
        for batch in recompute():
            checked, corrected = checked + batch.checked, corrected + batch.corrected
            if verbosity and self.stdout.isatty():
                self.stdout.write(f"orders: {checked}\r", ending="")
        if verbosity:
            self.stdout.write(f"{checked} orders checked, {corrected} corrected")
