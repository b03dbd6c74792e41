"""`manage.py recount_products`: counts the products of each sales channel again."""

from catalog.listings.counts.recounting import recount
from kit.commands.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Prints how many counts were wrong; `verify_ledger` lists them."""

    help = (
        "Count the products of each sales channel again, for the counts that lists show. Needed only after products "
        "were written with triggers disabled. Products can be changed while the command runs."
    )
    examples = ("recount_products",)
    interruption = "the counts are as they were; you can run the command again"

    def handle(self, *, verbosity: int, **options: object) -> None:
        corrected = recount()
        if verbosity:
            self.stdout.write(f"{corrected} counts of products corrected")
