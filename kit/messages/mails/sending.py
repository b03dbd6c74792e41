"""Sending the emails that are due."""

import time
from collections.abc import Callable
from contextlib import suppress
from smtplib import SMTPException

import structlog
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from kit.messages.mails import leases
from kit.messages.mails.address_limit import digests_of, pass_limit
from kit.messages.mails.kinds import MAIL_KINDS, MustWait, RenderedMail
from kit.messages.mails.messages import message_of
from kit.messages.mails.models import Mail
from kit.values import email_address

BATCH = 100
BATCH_SECONDS = 2.0
log = structlog.get_logger()


class MailServerUnavailable(Exception):
    """The mail server could not be reached, or did not accept the login. No email was claimed."""


def send_due(*, is_stopped: Callable[[], bool] = lambda: False) -> int:
    """Send due emails for BATCH_SECONDS, over one connection. Returns how many were due, up to BATCH.

    The next call then finds emails that have become due in the meantime and go before the rest.
    is_stopped: asked before each email. Raises MailServerUnavailable, Conflict.
    """
    due = leases.due_ids(BATCH)
    end = time.monotonic() + BATCH_SECONDS
    server = get_connection()
    try:
        for mail_id in due:
            if is_stopped() or time.monotonic() >= end:
                break
            _open(server)
            mail = leases.claim(mail_id)
            if mail is not None:
                _send(mail, server)
    finally:
        _close(server)
    return len(due)


def _open(server: BaseEmailBackend) -> None:
    """Before an email is claimed, so that an outage costs no email an attempt: all stay due."""
    try:
        server.open()
    except OSError as error:
        _close(server)
        reason = f"The mail server cannot be used: {error}"
        leases.note_outage(reason)
        raise MailServerUnavailable(reason) from error


def _send(mail: Mail, server: BaseEmailBackend) -> None:
    with structlog.contextvars.bound_contextvars(request_id=mail.request_id, mail=mail.pk):
        message = _prepared(mail)
        if message is not None and _hand_over(mail, message, server):
            leases.finish(mail, is_sent=True)


def _prepared(mail: Mail) -> EmailMessage | None:
    """The message; None if the email is not to be sent now, which is recorded."""
    rendered: RenderedMail | None = None
    try:
        with transaction.atomic():
            rendered = MAIL_KINDS.get()[mail.kind](mail.about, mail.number)
            if rendered is not None:
                message = message_of(mail, rendered)
                pass_limit(mail, rendered.recipient)
                return message
    except MustWait as wait:
        leases.postpone(mail, wait.until, **_addressed(rendered))
    except Exception as error:
        log.exception("the email was not rendered")
        leases.back_off(mail, f"It cannot be rendered: {error!r}")
    else:
        leases.finish(mail, is_sent=False)
    return None


def _addressed(rendered: RenderedMail | None) -> dict[str, str]:
    """The columns of its recipient, by which the limit counts it; none where it could not be rendered yet."""
    if rendered is None:
        return {}
    address = rendered.recipient
    return {"recipient": email_address.masked(address), "recipient_digest": digests_of(address)[0]}


def _hand_over(mail: Mail, message: EmailMessage, server: BaseEmailBackend) -> bool:
    """Whether the server took it. If not, the next email gets a new connection."""
    try:
        server.send_messages([message])
    except (OSError, ValueError) as error:  # ValueError: a header or an address that cannot be written
        _close(server)
        reason = _without_address(f"{type(error).__name__}: {error}", message.to)
        log.warning("the email was not sent", error=reason)
        leases.back_off(mail, reason)
        return False
    return True


def _without_address(reason: str, addresses: list[str]) -> str:
    for address in addresses:
        reason = reason.replace(address, email_address.masked(address))
    return reason


def _close(server: BaseEmailBackend) -> None:
    with suppress(SMTPException, OSError):  # the server has hung up
        server.close()
