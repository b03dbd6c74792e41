"""`manage.py recompute_lowest`: updates the lowest prices and stock of products; `serve` runs it every 10 s."""

from collections.abc import Callable, Mapping

from django.core.management.base import CommandError
from django.db.models import Model

from catalog.models import StalePrice, StaleStock
from catalog.prices.lowest_prices import recomputing as lowest_prices
from catalog.stock.lowest_stock import recomputing as lowest_stock
from kit.commands.operator_command import OperatorCommand
from kit.errors import Conflict

_KINDS: Mapping[str, tuple[type[Model], Callable[[], int]]] = {
    "prices": (StalePrice, lowest_prices.recompute),
    "stock": (StaleStock, lowest_stock.recompute),
}


class Command(OperatorCommand):
    """Where nothing has changed, this neither locks nor writes anything."""

    help = (
        "Recompute the lowest prices and stock of products whose prices or stock have changed. Until then, lists "
        "sorted by price are correct, but slower."
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
