"""The mail worker: looks for due emails once a second, and at growing intervals while the mail server is down."""

import logging
from threading import Event

from django.db import close_old_connections

from kit.errors import Conflict
from kit.messages.mails.sending import MailServerUnavailable, send_due

INTERVAL = 1.0
LONGEST_PAUSE = 30.0
_logger = logging.getLogger(__name__)


def send_until(stopped: Event) -> None:
    """Send emails until `stopped` is set; the email that is being sent is finished. Raises database errors."""
    pause = 0.0
    while not stopped.wait(pause):
        close_old_connections()
        pause = _next_pause(pause, stopped)


def _next_pause(pause: float, stopped: Event) -> float:
    """Send what is due; returns how long to wait afterwards, in seconds."""
    try:
        return 0.0 if send_due(is_stopped=stopped.is_set) else INTERVAL
    except Conflict:
        return INTERVAL
    except MailServerUnavailable as error:
        longer = min(max(2 * pause, INTERVAL), LONGEST_PAUSE)
        _logger.warning("%s. The next try is in %g s.", error, longer)
        return longer
