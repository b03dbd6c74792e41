"""`manage.py liability_report`: reports what the shop owes."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError

from giftcards.ledger.liability import Share, shares, totals
from kit.commands.command_arguments import moment_or_end_of_day
from kit.commands.csv_arguments import add_csv_arguments, csv_format
from kit.commands.operator_command import OperatorCommand
from kit.errors import DomainError
from kit.values import money
from kit.values.timestamps import isoformat, now

_COLUMNS = tuple(field.name for field in fields(Share))


class Command(OperatorCommand):
    """Prints a table, or CSV or JSON with exact amounts as strings."""

    help = "Report the outstanding store credit and gift cards by currency, age and expiry."
    examples = ("liability_report", "liability_report --as-of 2026-12-31 --currency usd --csv")
    interruption = "nothing was changed; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--currency", metavar="CODE", help="Only this currency.")
        parser.add_argument(
            "--as-of",
            type=moment_or_end_of_day,
            metavar="MOMENT",
            help="Report as of this time: ISO 8601, UTC. A date means the end of that day.",
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--csv", action="store_true")
        form.add_argument("--json", action="store_true")
        add_csv_arguments(parser)

    def handle(self, *, currency: str | None, as_of: datetime | None, **options: Any) -> None:
        moment_shown = as_of or now()
        try:
            found = shares(as_of=moment_shown, currency_code=currency and money.currency(currency))
        except DomainError as error:
            raise CommandError(error.message) from error
        if options["csv"]:
            form = csv_format(**options)
            lines = form.writer(self.stdout, lineterminator="\n")
            lines.writerow(_COLUMNS)
            lines.writerows((*words, form.amount(amount)) for *words, amount in map(_line, found))
        elif options["json"]:
            owed = {code: _formatted(amount, code) for code, amount in totals(found).items()}
            listed = [dict(zip(_COLUMNS, _line(share), strict=True)) for share in found]
            self.stdout.write(json.dumps({"as_of": isoformat(moment_shown), "owed": owed, "shares": listed}, indent=2))
        else:
            self._print_table(found, moment_shown)

    def _print_table(self, found: Sequence[Share], moment_shown: datetime) -> None:
        self.stdout.write(f"As of {isoformat(moment_shown)}")
        lines = [tuple(name.replace("_code", "") for name in _COLUMNS), *map(_line, found)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for *words, number in lines:
            line = "  ".join(word.ljust(width) for word, width in zip(words, widths, strict=False))
            self.stdout.write(f"{line}  {number.rjust(widths[-1])}")
        for code, amount in totals(found).items():
            self.stdout.write(f"Owed in {code}: {_formatted(amount, code)}")
        if not found:
            self.stdout.write("Nothing is owed")


def _line(share: Share) -> tuple[str, ...]:
    return share.currency_code, share.kind, share.age, share.expiry, _formatted(share.amount, share.currency_code)


def _formatted(amount: Decimal, currency_code: str) -> str:
    """With all decimals of its currency."""
    return f"{money.rounded(amount, currency_code):f}"
