"""`manage.py send_mails`: the worker that sends mails; `serve` runs it."""

import logging
import signal
import time
from argparse import ArgumentParser
from types import FrameType

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections

from commerce.kit.core.errors import Conflict
from commerce.kit.mails.sending import MailServerUnavailable, send_due

INTERVAL = 1.0
LONGEST_PAUSE = 30.0
_logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Looks for due mails once a second. While the mail server is down, it tries at growing intervals, up to 30 s."""

    help = "Send mails until SIGTERM or SIGINT. Several may run at once: each mail is sent by one of them."

    _is_stopped = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="send what is due, and end")

    def handle(self, *, once: bool, **options: object) -> None:
        if once:
            self._send_all()
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        pause = 0.0
        while not self._is_stopped:
            close_old_connections()
            pause = self._next_pause(pause)
            self._sleep(pause)

    def _send_all(self) -> None:
        try:
            while send_due():
                pass
        except (MailServerUnavailable, Conflict) as error:
            raise CommandError(str(error)) from error

    def _next_pause(self, pause: float) -> float:
        """Send what is due; returns how long to wait afterwards, in seconds."""
        try:
            return 0.0 if send_due(is_stopped=lambda: self._is_stopped) else INTERVAL
        except Conflict:
            return INTERVAL
        except MailServerUnavailable as error:
            longer = min(max(2 * pause, INTERVAL), LONGEST_PAUSE)
            _logger.warning("%s. The next try is in %g s.", error, longer)
            return longer

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._is_stopped and (rest := until - time.monotonic()) > 0:
            time.sleep(min(rest, INTERVAL))

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_stopped = True
