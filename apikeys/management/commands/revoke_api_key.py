"""Revokes an API key from the command line."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import Q

from apikeys.models import ApiKey
from apikeys.revocation import revoke
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError


class Command(OperatorCommand):
    """Prints when the key ends."""

    help = "Revoke an API key. It stops working immediately."
    examples = ('revoke_api_key "Web shop"', 'revoke_api_key "Web shop" --in 3600')

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id_or_title", help="The key's id, or its title if only one active key has it.")
        parser.add_argument(
            "--in", type=int, default=0, dest="revoke_in", metavar="SECONDS", help="Let it work for this long."
        )

    def handle(self, *, id_or_title: str, revoke_in: int, **_: object) -> None:
        key = _find_key(id_or_title)
        try:
            revoked = revoke(actor=SYSTEM, key_id=key.pk, revoke_in=revoke_in)
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{revoked} ends at {revoked.revoked_at:%Y-%m-%d %H:%M:%S} UTC.")


def _find_key(id_or_title: str) -> ApiKey:
    """The key with that id or title. An active key takes precedence over revoked ones with the same title."""
    named: list[ApiKey] = list(
        ApiKey.objects.not_deleted().filter(Q(pk=id_or_title) | Q(title=id_or_title)).order_by("pk")
    )
    found = [key for key in named if key.state == "active"] or named
    if not found:
        raise CommandError(f"No API key has the id or title '{id_or_title}'.")
    if len(found) > 1:
        raise CommandError(f"Several API keys are titled '{id_or_title}': {', '.join(key.pk for key in found)}.")
    return found[0]
