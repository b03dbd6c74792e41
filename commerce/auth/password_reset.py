"""Requesting a mail to set a new password.

Answer, statements and time do not depend on whether the account exists: only the background worker looks it up.
Source: behaviour.md 0.11, 5.2.
"""

from urllib.parse import quote

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django_tasks import task

from commerce.auth.actors import accounts_of, is_known
from commerce.auth.reset_tokens import issue_reset_token
from commerce.kit.core import email_address
from commerce.kit.throttling.counters import hit

log = structlog.get_logger()
_PATIENT = -20
"""The priority of tasks that run after all others, such as payment tasks."""

SUBJECT = "Set a new password"
TEXT = """Somebody, probably you, requested a new password. To set it, {what_to_do}:

  {place}

It works once, within {minutes} minutes. If you did not request it, ignore this mail: your password does not change.
"""


def request_reset(*, actor_type: str, email: str, client: str) -> None:
    """Send a mail to the account with that e-mail, if there is one, in the background.

    actor_type: a known one. client: the caller's network address.
    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises TooManyRequests.
    """
    address = email_address.normalized(email)
    hit(throttle="client_flood", subject=f"reset {client}")
    hit(throttle="reset", subject=f"{actor_type}:{address}")
    queue_reset_mail(actor_type=actor_type, email=address)


def queue_reset_mail(*, actor_type: str, email: str, is_one_of_many: bool = False) -> None:
    """Let the background worker send the mail. The worker's log lines have the id of this request.

    is_one_of_many: run after all other tasks, so that thousands of such mails do not delay payments.
    """
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    send = send_reset_mail.using(priority=_PATIENT) if is_one_of_many else send_reset_mail
    send.enqueue(actor_type=actor_type, email=email, request_id=request_id)


@task()
def send_reset_mail(actor_type: str, email: str, request_id: str | None = None) -> None:
    """Send the mail, if the account exists. The token is created here, so that the queue does not contain it.

    A failure is logged, and staff see a failed task. There is no retry: the account's owner can request another mail.
    """
    account = accounts_of(actor_type).find_by_email(email) if is_known(actor_type) else None
    if account is None:
        return
    token = issue_reset_token(account)
    page = settings.RESET_PAGES.get(actor_type)
    text = TEXT.format(
        what_to_do="open this page" if page else "use this token",
        place=page.replace("{token}", quote(token)) if page else token,
        minutes=int(settings.RESET_LIFETIME.total_seconds() // 60),
    )
    try:
        send_mail(SUBJECT, text, None, [account.email])
    except Exception:
        log.exception("the password reset mail was not sent", request_id=request_id)
        raise
