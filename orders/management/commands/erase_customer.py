"""`manage.py erase_customer`: erases the personal data of a customer or guest."""

import sys
from argparse import ArgumentParser

from django.core.management.base import CommandError
from tqdm import tqdm

from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.erasure.preview import preview


class Command(OperatorCommand):
    """An id is a customer's, an email address a guest's."""

    help = (
        "Erase the personal data of a customer, or of a guest with all orders of that email address. "
        "Prints what will be erased, and asks for confirmation. This cannot be undone."
    )
    examples = ("erase_customer cus_01JH3V9S5ZK8Q4W2N7R6T1YXAB", "erase_customer --email guest@example.com")
    interruption = "a person is erased completely or not at all; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("id", nargs="?", help="The id of the customer.")
        who.add_argument("--email", help="The email address of a guest.")
        parser.add_argument("--yes", action="store_true", help="Do not ask for confirmation.")

    def handle(self, *, id: str | None, email: str | None, yes: bool, verbosity: int, **options: object) -> None:
        try:
            person = people.customer(id) if id else people.guest(email or "")
            for title, text in preview(person) if verbosity else ():
                self.stdout.write(f"{title}: {text}")
            if not yes:
                self._ask(person.email or id or "")
            with tqdm(total=person.orders.count(), unit="", leave=False, disable=not sys.stderr.isatty()) as bar:
                erased = erase(actor=SYSTEM, person=person, watch=bar.update)
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        if verbosity:
            self.stdout.write(f"Erased. Orders erased: {erased.orders}, to be erased later: {erased.waiting}.")

    def _ask(self, name: str) -> None:
        try:
            answer = input(f"This cannot be undone. Type {name} to erase: ")
        except EOFError:
            answer = ""
        if answer.strip().lower() != name.lower():
            raise CommandError("Nothing was erased.")
