"""`manage.py resume_payments`: asks payment providers for what is left undone; `serve` runs it once a minute."""

from django.core.management.base import BaseCommand
from django.db.models import Count, Q

from payments.intents import resume_all
from payments.models import Intent
from payments.states import Result


class Command(BaseCommand):
    """What the background worker could not carry out: it had died, or the provider did not answer."""

    help = "Retry each unfinished request to a payment provider once. Requests that are being sent are skipped."

    def handle(self, *, verbosity: int, **options: object) -> None:
        taken = resume_all()
        refused = Count("pk", filter=Q(result=Result.REFUSED))
        counts = Intent.objects.filter(pk__in=taken).aggregate(
            open=Count("pk", filter=Q(done_at=None)), refused=refused
        )
        if verbosity:
            self.stdout.write(f"{len(taken)} resumed, {counts['open']} still open, {counts['refused']} refused")
