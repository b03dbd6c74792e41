"""`manage.py rebuild_search`: rebuilds the search index, the product listing, and the lowest prices and stock."""

from collections.abc import Iterator

from catalog.listings import group_rebuilding
from catalog.listings import rebuilding as product_listing
from catalog.prices.lowest_prices import recomputing as lowest_prices
from catalog.search.rebuilding import documented, rebuild
from catalog.stock.lowest_stock import recomputing as lowest_stock
from kit.commands.operator_command import OperatorCommand
from orders.common.search import rebuilding


class Command(OperatorCommand):
    """Prints a line for each kind of row and, on a terminal, the progress."""

    help = (
        "Rebuild what lists are searched, sorted and filtered by: the search index, the product listing, and the "
        "lowest prices and stock of products. Needed only after rows were written with triggers disabled, or search "
        "texts were changed by SQL; safe to run at any time."
    )
    examples = ("rebuild_search",)
    interruption = "what was rebuilt is kept; run the command again to rebuild the rest"

    def handle(self, *, verbosity: int, **options: object) -> None:
        for model in documented():
            self._rebuild(str(model._meta.verbose_name_plural), rebuild(model), verbosity)
        self._rebuild("product listing", product_listing.rebuild(), verbosity)
        self._rebuild("listing by tag and category", group_rebuilding.rebuild(), verbosity)
        self._rebuild("lowest prices", lowest_prices.recompute_all(), verbosity)
        self._rebuild("lowest stock", lowest_stock.recompute_all(), verbosity)
        self._rebuild("orders", rebuilding.rebuild(), verbosity)

    def _rebuild(self, name: str, batches: Iterator[int], verbosity: int) -> None:
        done = 0
        for rows in batches:
            done += rows
            if verbosity and self.stdout.isatty():
                self.stdout.write(f"{name}: {done}\r", ending="")
        if verbosity:
            self.stdout.write(f"{name}: {done} rebuilt")
