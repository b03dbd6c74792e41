"""Asking for a new password by mail.

Neither answer nor statements nor time depend on whether there is such an account: the background worker finds out.
Source: behaviour.md 0.11, 5.2.
"""

from urllib.parse import quote

from django.conf import settings
from django.core.mail import send_mail
from django_tasks import task

from commerce.auth.actors import accounts_of, is_known
from commerce.auth.reset_tokens import issue_reset_token
from commerce.core import email_address
from commerce.throttling.counters import hit

SUBJECT = "Set a new password"
TEXT = """Somebody, most likely you, asked for a new password. To set it, {what_to_do}:

  {place}

It works once, for {minutes} minutes. If it was not you, there is nothing to do: your password stays.
"""


def request_reset(*, actor_type: str, email: str, client: str) -> None:
    """Have a mail sent to the account of that e-mail, if there is one.

    actor_type: a known one. client: the caller's network address.
    Must not be called inside a transaction (RuntimeError): the counts stand whatever becomes of the request.
    Raises TooManyRequests.
    """
    address = email_address.normalized(email)
    hit(throttle="client_flood", subject=client)
    hit(throttle="reset", subject=f"{actor_type}:{address}")
    send_reset_mail.enqueue(actor_type=actor_type, email=address)


@task()
def send_reset_mail(actor_type: str, email: str) -> None:
    """Send the mail; nothing for an e-mail without account. The token is made here, so that no queue holds it."""
    account = accounts_of(actor_type).find_by_email(email) if is_known(actor_type) else None
    if account is None:
        return
    token = issue_reset_token(account)
    page = settings.RESET_PAGES.get(actor_type)
    told = TEXT.format(
        what_to_do="open this page" if page else "use this token",
        place=page.replace("{token}", quote(token)) if page else token,
        minutes=int(settings.RESET_LIFETIME.total_seconds() // 60),
    )
    send_mail(SUBJECT, told, None, [account.email])
