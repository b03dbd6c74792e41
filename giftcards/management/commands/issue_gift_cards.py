"""`manage.py issue_gift_cards`: issues gift cards and writes their codes to a file."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from customers.models import Customer
from giftcards.cards.card_files import STANDARD_OUTPUT, issue_to_file
from giftcards.cards.issuing import Terms
from giftcards.errors import CurrencyNotSold
from giftcards.ledger.owners import check_spendable
from kit.commands.command_arguments import amount, moment
from kit.commands.csv_arguments import add_csv_arguments, csv_format
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError, InvalidData
from kit.values import email_address, money
from kit.values.text import is_storable
from kit.values.timestamps import now


class Command(OperatorCommand):
    """Either all cards are issued, with their codes in the file, or none."""

    help = "Issue identical gift cards and write their codes to a file that only its owner can read."
    examples = (
        "issue_gift_cards --count 500 --value 25 --currency usd --csv cards.csv",
        "issue_gift_cards --count 1 --value 12.50 --currency eur --customer ann@example.com --csv -",
    )
    interruption = "no gift card was issued; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, required=True)
        parser.add_argument("--value", type=amount, required=True, help="In major units: 25 or 12.50.")
        parser.add_argument("--currency", required=True, metavar="CODE")
        parser.add_argument("--csv", required=True, metavar="FILE", help="A new file, or - for standard output.")
        expiry = parser.add_mutually_exclusive_group()
        expiry.add_argument(
            "--expires-at", type=moment, metavar="MOMENT", help="ISO 8601; UTC if no time zone is given."
        )
        expiry.add_argument("--expires-in-days", type=int, metavar="DAYS")
        parser.add_argument(
            "--customer",
            metavar="EMAIL",
            help="The only one who can redeem them. Default: anyone.",
        )
        parser.add_argument("--note")
        parser.add_argument("--reference", help="Your own reference, for example spring-mailing.")

        parser.add_argument(
            "--force", action="store_true", help="Issue them even in a currency that no region sells in."
        )
        add_csv_arguments(parser)

    def handle(self, *, count: int, csv: str, force: bool, **options: Any) -> None:
        try:
            if not force:
                check_spendable(money.currency(options["currency"]))
            terms, form = _terms(**options), csv_format(**options)
            issue_to_file(actor=SYSTEM, terms=terms, count=count, name=csv, progress=_with_bar, csv_format=form)
        except CurrencyNotSold as error:
            raise CommandError(
                f"No gift card was issued. {error.message}: choose another --currency, or add --force."
            ) from error
        except DomainError as error:
            raise CommandError(f"No gift card was issued. {error.message}") from error
        except FileExistsError as error:
            raise CommandError(f"No gift card was issued. {csv} already exists.") from error
        except OSError as error:
            raise CommandError(f"No gift card was issued. {csv}: {error.strerror}") from error
        where = "" if csv == STANDARD_OUTPUT else f"; their codes are in {csv} and nowhere else"
        self.stderr.write(f"{count} gift cards issued{where}.")


def _terms(
    *,
    value: Decimal,
    currency: str,
    customer: str | None,
    note: str | None,
    reference: str | None,
    expires_at: datetime | None,
    expires_in_days: int | None,
    **_: Any,
) -> Terms:
    if expires_in_days is not None:
        expires_at = _in_days(expires_in_days)
    return Terms(
        value=value,
        currency_code=currency,
        customer_id=_customer_id(customer) if customer else None,
        expires_at=expires_at,
        note=note,
        reference=reference,
    )


def _customer_id(email: str) -> str:
    customers = Customer.objects.not_deleted().filter(email=email_address.normalized(email), has_account=True)
    customer = customers.first() if is_storable(email) else None
    if customer is None:
        raise CommandError(f"No customer has an account with the email address {email}.")
    return str(customer.pk)


def _in_days(days: int) -> datetime:
    try:
        return now() + timedelta(days=days)
    except OverflowError as error:
        raise InvalidData("Value for field 'expires-in-days' is out of bounds") from error


def _with_bar(sizes: Iterable[int], count: int) -> Iterable[int]:
    """The batches, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from sizes
        return
    with tqdm(desc="gift cards", total=count, unit="", leave=False) as bar:
        for size in sizes:
            yield size
            bar.update(size)
