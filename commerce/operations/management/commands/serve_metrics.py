"""`manage.py serve_metrics`: Prometheus' metrics; `serve` runs it if METRICS_PORT is set."""

from django.core.management.base import BaseCommand, CommandError

from commerce.kit.core import metering


class Command(BaseCommand):
    """Answers at METRICS_PORT of 127.0.0.1 until it is killed."""

    help = "Serve the metrics of all processes of `serve`, which runs this itself if METRICS_PORT is set."

    def handle(self, **options: object) -> None:
        if not metering.IS_ON:
            raise CommandError("`serve` runs this command. Set METRICS_PORT and run `manage.py serve`.")
        from commerce.operations.metrics_server import serve_metrics  # noqa: PLC0415 - not loaded if metrics are off

        serve_metrics().join()
