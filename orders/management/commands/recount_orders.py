"""`manage.py recount_orders`: counts the orders again, and what promotions took off them."""

from kit.commands.operator_command import OperatorCommand
from orders.reports.counts.recounting import recount
from orders.reports.savings import recompute_savings


class Command(OperatorCommand):
    """Prints how many counts were wrong; `verify_ledger` lists them."""

    help = (
        "Count the orders again, for the counts that lists show, and sum what each promotion took off. Needed only "
        "after an upgrade that names it, or after orders were written with triggers disabled. Orders can be placed "
        "while the command runs."
    )
    examples = ("recount_orders",)
    interruption = "the counts are as they were; you can run the command again"

    def handle(self, *, verbosity: int, **options: object) -> None:
        corrected, promotions = recount(), recompute_savings()
        if verbosity:
            self.stdout.write(f"{corrected} counts of orders and the savings of {promotions} promotions corrected")
