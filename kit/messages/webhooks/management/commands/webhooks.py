"""Webhook endpoints from the command line. Only the secret goes to standard output, so that scripts can read it."""

from argparse import ArgumentParser
from datetime import datetime

from django.core.management.base import CommandError

from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.messages.webhooks.delivery.resending import resend_event, resend_missed
from kit.messages.webhooks.endpoints.adding import SecretAddress, add
from kit.messages.webhooks.endpoints.deletion import delete
from kit.messages.webhooks.endpoints.disabling import disable
from kit.messages.webhooks.endpoints.enabling import enable
from kit.messages.webhooks.endpoints.rotation import OVERLAP, rotate
from kit.messages.webhooks.models import WebhookAddress
from kit.values.timestamps import parse_moment


class Command(OperatorCommand):
    """`webhooks add https://erp.example/hooks > secret` puts the secret into a file."""

    help = "Add, list and change the endpoints that receive events."
    examples = (
        "webhooks add https://erp.example/hooks --event order.placed",
        "webhooks resend https://erp.example/hooks --since 2026-11-22T10:00Z",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
        adding = acts.add_parser("add", help="add an endpoint, and print its secret once")
        adding.add_argument("url")
        adding.add_argument(
            "--event",
            action="append",
            default=[],
            metavar="NAME",
            help="an event to send; may be repeated. Default: all",
        )
        acts.add_parser("list", help="list all endpoints with their states")
        for act, about in _ACTS_ON_ONE.items():
            one = acts.add_parser(act, help=about)
            one.add_argument("address", metavar="ID-OR-URL")
            if act == "rotate":
                one.add_argument("--leaked", action="store_true", help="end the former secret immediately")
            if act == "resend":
                chosen = one.add_mutually_exclusive_group(required=True)
                chosen.add_argument("--event", metavar="ID", help="this event, evt_…, also if it was delivered")
                chosen.add_argument(
                    "--since", metavar="MOMENT", type=_moment, help="all that it has not received, 2026-11-22T10:00Z"
                )

    def handle(self, *, act: str, **given: object) -> None:
        try:
            getattr(self, f"_{act}")(**given)
        except DomainError as error:
            raise CommandError(error.message) from error

    def _add(self, *, url: str, event: list[str], **_: object) -> None:
        self._print_secret(add(actor=SYSTEM, url=url, events=event), "Added")

    def _list(self, **_: object) -> None:
        for address in WebhookAddress.objects.not_deleted().order_by("pk"):
            names = ", ".join(address.events) or "all events"
            self.stdout.write(f"{address.pk}  {address.url}  {names}  {address.state}")

    def _disable(self, *, address: str, **_: object) -> None:
        disable(actor=SYSTEM, address_id=_id_of(address))

    def _enable(self, *, address: str, **_: object) -> None:
        enable(actor=SYSTEM, address_id=_id_of(address))

    def _delete(self, *, address: str, **_: object) -> None:
        delete(actor=SYSTEM, address_id=_id_of(address))

    def _rotate(self, *, address: str, leaked: bool, **_: object) -> None:
        self._print_secret(rotate(actor=SYSTEM, address_id=_id_of(address), is_leaked=leaked), "Changed the secret of")
        if not leaked:
            hours = OVERLAP.total_seconds() / 3600
            self.stderr.write(f"Deliveries are signed with the former secret too for {hours:g} hours.")

    def _resend(self, *, address: str, event: str | None, since: datetime | None, **_: object) -> None:
        address_id = _id_of(address)
        if since is not None:
            self.stdout.write(f"{resend_missed(actor=SYSTEM, address_id=address_id, since=since)} event(s) sent again")
        elif event is not None:
            resend_event(actor=SYSTEM, address_id=address_id, event_id=event)

    def _print_secret(self, made: SecretAddress, what: str) -> None:
        self.stderr.write(f"{what} {made.address} with the id {made.address.pk}. The secret is never shown again.")
        self.stdout.write(made.secret)


_ACTS_ON_ONE = {
    "disable": "send nothing more to an endpoint",
    "enable": "enable an endpoint again",
    "delete": "delete an endpoint",
    "rotate": "give an endpoint a new secret, and print it once",
    "resend": "send events again",
}


def _id_of(id_or_url: str) -> str:
    found: WebhookAddress | None = WebhookAddress.objects.not_deleted().filter(url=id_or_url).first()
    return found.pk if found else id_or_url


def _moment(text: str) -> datetime:
    moment = parse_moment(text)
    if moment is None:
        raise ValueError(text)
    return moment
