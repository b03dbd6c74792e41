"""Revokes an API key from the command line."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from apikeys.models import ApiKey
from apikeys.revocation import revoke
from commerce.kit.core.actor import SYSTEM
from commerce.kit.core.errors import DomainError


class Command(BaseCommand):
    """`revoke_api_key "Web shop"`."""

    help = "Revoke an API key: nothing opens with it any more, at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id_or_title", help="The key's id, or its title where only one working key has it.")
        parser.add_argument(
            "--in", type=int, default=0, dest="revoke_in", metavar="SECONDS", help="Let it work that much longer."
        )

    def handle(self, *, id_or_title: str, revoke_in: int, **_: object) -> None:
        key = _the_key(id_or_title)
        try:
            revoked = revoke(actor=SYSTEM, key_id=key.pk, revoke_in=revoke_in)
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{revoked} ends at {revoked.revoked_at:%Y-%m-%d %H:%M:%S} UTC.")


def _the_key(id_or_title: str) -> ApiKey:
    """The one key meant. One that works goes before those of the same title that are revoked already."""
    named: list[ApiKey] = list(
        ApiKey.objects.not_deleted().filter(Q(pk=id_or_title) | Q(title=id_or_title)).order_by("pk")
    )
    meant = [key for key in named if key.state == "active"] or named
    if not meant:
        raise CommandError(f"No API key has the id or title '{id_or_title}'.")
    if len(meant) > 1:
        raise CommandError(f"Several API keys are titled '{id_or_title}': {', '.join(key.pk for key in meant)}.")
    return meant[0]
