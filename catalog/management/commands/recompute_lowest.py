"""`manage.py recompute_lowest`: recomputes lowest prices and stock that have changed; `serve` runs it every 10 s."""

from collections.abc import Callable, Mapping

from django.core.management.base import CommandError
from django.db.models import Model

from catalog.lowest_prices import recomputing as lowest_prices
from catalog.lowest_stock import recomputing as lowest_stock
from catalog.models import StalePrice, StaleStock
from commerce.kit.core.errors import Conflict
from commerce.kit.core.operator_command import OperatorCommand

_KINDS: Mapping[str, tuple[type[Model], Callable[[], int]]] = {
    "prices": (StalePrice, lowest_prices.recompute),
    "stock": (StaleStock, lowest_stock.recompute),
}


class Command(OperatorCommand):
    """Locks and writes nothing where nothing has changed."""

    help = (
        "Recompute the lowest prices and stock of products whose prices or stock have changed. Lists sorted by price "
        "are right before, too, but slower."
    )
    examples = ("recompute_lowest",)
    interruption = "what was recomputed is kept; run the command again to recompute the rest"

    def handle(self, *, verbosity: int, **options: object) -> None:
        for kind, (marks, recompute) in _KINDS.items():
            try:
                changes = recompute() if marks._default_manager.exists() else 0
            except Conflict as conflict:
                raise CommandError("Another process keeps the lock. Run the command again.") from conflict
            if verbosity:
                self.stdout.write(f"{changes} changes of {kind} processed")
