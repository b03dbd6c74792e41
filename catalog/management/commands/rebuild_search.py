"""`manage.py rebuild_search`: makes afresh what search compares."""

from typing import Any

from django.core.management.base import BaseCommand

from catalog.search.rebuilding import documented, rebuild


class Command(BaseCommand):
    """Prints a line for each kind of row, and how far it is while it runs on a terminal."""

    help = "Make afresh what search compares. Needed after rows were written past the shop, and never to lose anything."

    def handle(self, *, verbosity: int, **options: Any) -> None:
        for model in documented():
            name, done = str(model._meta.verbose_name_plural), 0
            for rows in rebuild(model):
                done += rows
                if verbosity and self.stdout.isatty():
                    self.stdout.write(f"{name}: {done}\r", ending="")
            if verbosity:
                self.stdout.write(f"{name}: {done} rebuilt")
