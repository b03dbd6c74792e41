"""`manage.py resume_fulfillments`: sends open requests to carriers again; `serve` runs it every few seconds."""

from kit.commands.operator_command import OperatorCommand
from orders.fulfillments.sending import resume_all
from orders.models import CarrierRequest


class Command(OperatorCommand):
    """For requests that the carrier worker did not finish: it died, or the provider did not answer."""

    help = "Send each open request to a fulfillment provider once. Requests that are being sent are skipped."
    examples = ("resume_fulfillments",)
    interruption = "open requests are sent by the next run; you can run the command again"

    def handle(self, *, verbosity: int, **options: object) -> None:
        resumed = resume_all()
        left = CarrierRequest.objects.filter(pk__in=resumed, done_at=None).count()
        if verbosity:
            self.stdout.write(f"{len(resumed)} resumed, {left} still open")
