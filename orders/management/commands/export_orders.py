"""`manage.py export_orders`: writes orders, or their lines, as CSV."""

import sys
from argparse import ArgumentParser
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, BinaryIO

from django.core.management.base import CommandError
from django.db.models import Model
from tqdm import tqdm

from kit.commands.atomic_files import whole_file
from kit.commands.command_arguments import moment, moment_or_end_of_day
from kit.commands.csv_arguments import add_csv_arguments, csv_format
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from orders.reports.export.choice import Choice
from orders.reports.export.kinds import LINES, ORDERS
from orders.reports.export.writing import Batches, write
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus
from shop.models import Region, SalesChannel

STANDARD_OUTPUT = "-"


class Command(OperatorCommand):
    """The file appears once it is complete."""

    help = (
        "Write orders, or their lines, as CSV: all as they were when the export began. The file holds personal data; "
        "only its owner can read it."
    )
    examples = (
        "export_orders --since 2027-01-01 --until 2027-01-31 --for-spreadsheets --output january.csv",
        "export_orders --lines --payment-status captured partially_refunded --output lines.csv",
    )
    interruption = "no incomplete file is left; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--lines", action="store_true", help="A row for each line of an order, not for each order.")
        parser.add_argument(
            "--output", default=STANDARD_OUTPUT, metavar="FILE", help="Default: -, which is standard output."
        )
        parser.add_argument(
            "--since", type=moment, metavar="MOMENT", help="Only orders created at this time or later: ISO 8601, UTC."
        )
        parser.add_argument(
            "--until",
            type=moment_or_end_of_day,
            metavar="MOMENT",
            help="Only orders created at this time or earlier. A date means the end of that day.",
        )
        for option, statuses in (
            ("--status", OrderStatus),
            ("--payment-status", PaymentStatus),
            ("--fulfillment-status", FulfillmentStatus),
        ):
            parser.add_argument(option, nargs="+", default=[], choices=statuses.values, metavar="STATUS")
        parser.add_argument("--channel", nargs="+", default=[], metavar="ID", help="Only these sales channels.")
        parser.add_argument("--region", nargs="+", default=[], metavar="ID", help="Only these regions.")
        add_csv_arguments(parser)

    def handle(self, *, lines: bool, output: str, verbosity: int, **options: Any) -> None:
        choice, form = _choice(**options), csv_format(**options)
        try:
            with _opened(output) as file:
                kind = LINES if lines else ORDERS
                count = write(file, kind, actor=SYSTEM, choice=choice, watch=_with_bar, csv_format=form)
        except OSError as error:
            raise CommandError(f"--output {output}: {error.strerror}") from error
        if verbosity:
            self.stderr.write(f"{count} {'lines' if lines else 'orders'} exported")


def _choice(
    *, since: datetime | None, until: datetime | None, channel: list[str], region: list[str], **options: Any
) -> Choice:
    if since and until and since > until:
        raise CommandError("--until must not be earlier than --since")
    _check("--channel", channel, SalesChannel)
    _check("--region", region, Region)
    return Choice(
        since=since,
        until=until,
        **{name: options[name] for name in ("status", "payment_status", "fulfillment_status")},
        sales_channel_id=channel,
        region_id=region,
    )


def _check(option: str, ids: Collection[str], model: type[Model]) -> None:
    known = set(model._default_manager.values_list("pk", flat=True)) if ids else set()
    for unknown in ids:
        if unknown not in known:
            raise CommandError(f"{option}: no {model._meta.verbose_name} has the id '{unknown}'")


def _opened(output: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdout.buffer) if output == STANDARD_OUTPUT else whole_file(output)


def _with_bar(batches: Batches, count: int) -> Iterator[list[list[str]]]:
    """The batches, with a progress bar on a terminal."""
    with tqdm(total=count, unit="", leave=False, disable=not sys.stderr.isatty()) as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))
