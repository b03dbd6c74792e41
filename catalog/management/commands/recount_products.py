"""`manage.py recount_products`: counts the products of each sales channel again."""

from catalog.counts.recounting import recount
from commerce.kit.core.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Prints nothing; `verify_ledger` lists counts that are wrong."""

    help = (
        "Count the products of each sales channel again, for the counts that lists show. Needed only after products "
        "were written with triggers switched off. Products can be written meanwhile."
    )
    examples = ("recount_products",)
    interruption = "the counts are as they were; you can run the command again"

    def handle(self, **options: object) -> None:
        recount()
