"""`manage.py resume_payments`: retries unfinished requests to payment providers; `serve` does every few seconds."""

from argparse import ArgumentParser

from django.db.models import Count, Q

from kit.commands.operator_command import OperatorCommand
from payments.models import Intent
from payments.requests.intents import queue_due, resume_all
from payments.states import Result


class Command(OperatorCommand):
    """For requests that the background worker did not finish: it died, or the provider did not answer."""

    help = "Retry each unfinished request to a payment provider once. Requests that are being sent are skipped."
    examples = ("resume_payments",)
    interruption = "open requests are repeated by the next run; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--queue", action="store_true", help="let the background process retry them")

    def handle(self, *, verbosity: int, queue: bool, **options: object) -> None:
        resumed = queue_due() if queue else resume_all()
        refused = Count("pk", filter=Q(result=Result.REFUSED))
        counts = Intent.objects.filter(pk__in=resumed).aggregate(
            open=Count("pk", filter=Q(done_at=None)), refused=refused
        )
        if verbosity:
            self.stdout.write(f"{len(resumed)} resumed, {counts['open']} still open, {counts['refused']} refused")
