"""`manage.py send_mails`: sends emails beside `serve`, whose background process does the same."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from kit.commands.interruption import stop_signal
from kit.commands.operator_command import OperatorCommand
from kit.errors import Conflict
from kit.messages.mails.sending import MailServerUnavailable, send_due
from kit.messages.mails.working import send_until


class Command(OperatorCommand):
    """Looks for due emails once a second. While the mail server is down, it tries at growing intervals, up to 30 s."""

    help = "Send emails until SIGTERM or SIGINT. Several may run at the same time: each email is sent by one of them."
    examples = ("send_mails", "send_mails --once")
    interruption = "an email that was being sent is sent again in two minutes; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="send what is due, and end")

    def handle(self, *, once: bool, **options: object) -> None:
        if once:
            _send_all()
            return
        send_until(stop_signal())


def _send_all() -> None:
    try:
        while send_due():
            pass
    except (MailServerUnavailable, Conflict) as error:
        raise CommandError(str(error)) from error
