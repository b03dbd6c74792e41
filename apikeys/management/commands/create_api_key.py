"""Creates an API key. Only the token goes to standard output, so that scripts can read it."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import transaction

from apikeys import channel_scope
from apikeys.issuance import IssuedKey, issue
from apikeys.states import KeyType
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from shop.models import SalesChannel
from staff.models import User


class Command(OperatorCommand):
    """`create_api_key "Web shop" --type publishable > token` puts the token into a file."""

    help = "Create an API key and print its token, once."
    examples = (
        'create_api_key "Web shop" --type publishable',
        "create_api_key ERP --type secret --created-by ann@shop.example --permissions orders.view_order",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("title")
        parser.add_argument("--type", choices=KeyType.values, required=True)
        parser.add_argument(
            "--sales-channel",
            action="append",
            default=[],
            metavar="NAME",
            help="A channel of a publishable key; may be repeated. Without any, the default channel.",
        )
        parser.add_argument(
            "--created-by", metavar="EMAIL", help="The staff user that a secret key acts for; required for secret keys."
        )
        parser.add_argument(
            "--permissions",
            type=lambda text: [name.strip() for name in text.split(",")],
            metavar="NAMES",
            help="Limits a secret key to these permissions of its staff user, joined by commas, such as "
            "payments.add_capture,payments.add_refund. Without it, the key has all of them.",
        )

    def handle(
        self,
        *,
        title: str,
        type: str,
        sales_channel: list[str],
        created_by: str | None,
        permissions: list[str] | None,
        **_: object,
    ) -> None:
        try:
            issued = self._issue(title, type, sales_channel, created_by, permissions)
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stderr.write(f"Created {issued.key} with the id {issued.key.pk}. A secret token is never shown again.")
        self.stdout.write(issued.token)

    @transaction.atomic
    def _issue(
        self, title: str, type: str, channels: list[str], email: str | None, permissions: list[str] | None
    ) -> IssuedKey:
        owner = _user_id(email) if email else None
        issued = issue(actor=SYSTEM, title=title, type=type, created_by=owner, permissions=permissions)
        if channels:
            channel_ids = [_channel_id(name) for name in channels]
            channel_scope.update_channels(actor=SYSTEM, key_id=issued.key.pk, add=channel_ids)
        return issued


def _user_id(email: str) -> str:
    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None:
        raise CommandError(f"No staff user has the email address {email}.")
    return user.pk


def _channel_id(name: str) -> str:
    channel: SalesChannel | None = SalesChannel.objects.not_deleted().filter(name=name).first()
    if channel is None:
        known = ", ".join(SalesChannel.objects.not_deleted().order_by("name").values_list("name", flat=True))
        raise CommandError(f"No sales channel is named '{name}'. Existing channels: {known}.")
    return channel.pk
