"""`manage.py rebuild_search`: rebuilds the search index and the listing of products."""

from collections.abc import Iterator

from catalog.listings.relisting import relist
from catalog.search.rebuilding import documented, rebuild
from commerce.kit.core.operator_command import OperatorCommand
from orders.search import rebuilding


class Command(OperatorCommand):
    """Prints a line for each kind of row and, on a terminal, the progress."""

    help = (
        "Rebuild the search index and the listing of the store's products. Needed only after rows were written by "
        "other programs; safe to run at any time."
    )
    examples = ("rebuild_search",)
    interruption = "what was rebuilt is kept; run the command again to rebuild the rest"

    def handle(self, *, verbosity: int, **options: object) -> None:
        for model in documented():
            self._rebuild(str(model._meta.verbose_name_plural), rebuild(model), verbosity)
        relist()
        self._rebuild("orders", rebuilding.rebuild(), verbosity)

    def _rebuild(self, name: str, batches: Iterator[int], verbosity: int) -> None:
        done = 0
        for rows in batches:
            done += rows
            if verbosity and self.stdout.isatty():
                self.stdout.write(f"{name}: {done}\r", ending="")
        if verbosity:
            self.stdout.write(f"{name}: {done} rebuilt")
