"""`manage.py prune`: discards what is past its time; `serve` runs it once an hour."""

from django.core.management.base import BaseCommand, CommandError

from commerce.kit.core.errors import Conflict
from commerce.operations.pruning import prune


class Command(BaseCommand):
    """Prints a line for each kind of row."""

    help = (
        "Delete what has expired: stored answers, throttle counters, addresses of sign-ins, sessions, "
        "finished tasks and jobs."
    )

    def handle(self, *, verbosity: int, **options: object) -> None:
        try:
            discarded = prune()
        except Conflict as conflict:
            raise CommandError(
                "Other work holds the rows; what was discarded before stays so. Run it again."
            ) from conflict
        for kind, count in discarded.items() if verbosity else ():
            self.stdout.write(f"{count} {kind} discarded")
