"""`manage.py recount_orders`: counts the orders again."""

from django.core.management.base import BaseCommand

from orders.counts.recounting import recount


class Command(BaseCommand):
    """Prints nothing; `verify_ledger` lists counts that are wrong."""

    help = (
        "Count the orders again, for the counts that lists show. Needed only after orders were written with triggers "
        "switched off. New orders wait meanwhile, about a second for a million."
    )

    def handle(self, **options: object) -> None:
        recount()
