"""`manage.py recount_orders`: counts the orders again."""

from kit.commands.operator_command import OperatorCommand
from orders.reports.counts.recounting import recount


class Command(OperatorCommand):
    """Prints how many counts were wrong; `verify_ledger` lists them."""

    help = (
        "Count the orders again, for the counts that lists show. Needed only after orders were written with triggers "
        "disabled. Orders can be placed while the command runs."
    )
    examples = ("recount_orders",)
    interruption = "the counts are as they were; you can run the command again"

    def handle(self, *, verbosity: int, **options: object) -> None:
        corrected = recount()
        if verbosity:
            self.stdout.write(f"{corrected} counts of orders corrected")
