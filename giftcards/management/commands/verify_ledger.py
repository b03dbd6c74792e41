"""`manage.py verify_ledger`: checks the invariants of the ledger, of the orders that it pays for, and of stock."""

from functools import partial

from django.core.management.base import CommandError
from tqdm import tqdm

from giftcards.verification.ledger_check import keep_check
from giftcards.verification.verification import discrepancies, sizes
from kit.commands.operator_command import OperatorCommand
from kit.commands.progress_bars import with_bar


class Command(OperatorCommand):
    """Exits with code 1 on any discrepancy, so that a scheduler can report it."""

    help = (
        "Check gift cards, store credit, orders, stock and the stored counts and listings, and list every discrepancy."
    )
    examples = ("verify_ledger",)
    interruption = "the check is incomplete and has changed nothing; you can run the command again"

    def handle(self, *, verbosity: int, **_: object) -> None:
        found = 0
        for found, sentence in enumerate(discrepancies(with_bar), start=1):  # noqa: B007 - the last one is their number
            with tqdm.external_write_mode():  # above the bar
                self.stdout.write(sentence)
        self.keep_for_metrics(partial(keep_check, found))
        if found:
            raise CommandError(f"Discrepancies found: {found}")
        if verbosity:
            counts = ", ".join(f"{count} {kind}" for kind, count in sizes().items())
            self.stdout.write(f"No discrepancies: {counts}")
