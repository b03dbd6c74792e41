"""`manage.py resume_payments`: retries unfinished requests to payment providers; `serve` runs it once a minute."""

from django.core.management.base import BaseCommand
from django.db.models import Count, Q

from payments.intents import resume_all
from payments.models import Intent
from payments.states import Result


class Command(BaseCommand):
    """For requests that the background worker did not finish: it died, or the provider did not answer."""

    help = "Retry each unfinished request to a payment provider once. Requests that are being sent are skipped."

    def handle(self, *, verbosity: int, **options: object) -> None:
        resumed = resume_all()
        refused = Count("pk", filter=Q(result=Result.REFUSED))
        counts = Intent.objects.filter(pk__in=resumed).aggregate(
            open=Count("pk", filter=Q(done_at=None)), refused=refused
        )
        if verbosity:
            self.stdout.write(f"{len(resumed)} resumed, {counts['open']} still open, {counts['refused']} refused")
