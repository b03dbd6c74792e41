"""`manage.py prune`: deletes expired rows; `serve` runs it once an hour."""

from django.core.management.base import CommandError

from commerce.operations.pruning import prune
from kit.commands.operator_command import OperatorCommand
from kit.errors import Conflict


class Command(OperatorCommand):
    """Prints a line for each kind of row, once it is done."""

    help = (
        "Delete what has expired: stored answers, throttle counters, addresses of sign-ins, sessions, "
        "finished tasks and jobs, requests for a new password or an order, old emails, events with their deliveries, "
        "files of exports, and uploaded pictures that have been unused for a day. Also folds the kept counts of orders "
        "and products, recomputes the lowest stock of products, and erases the personal data of orders whose retention "
        "time after an erasure has passed."
    )
    examples = ("prune",)
    interruption = "what was deleted stays deleted; run the command again to delete the rest"

    def handle(self, *, verbosity: int, **options: object) -> None:
        try:
            for kind, count in prune():
                if verbosity:
                    self.stdout.write(f"{count} {kind} deleted")
                    self.stdout.flush()
        except Conflict as conflict:
            raise CommandError(
                "Some rows are locked by other work. Run the command again to delete the rest."
            ) from conflict
