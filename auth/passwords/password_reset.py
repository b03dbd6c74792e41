"""Requesting an email to set a new password.

Answer, statements and time do not depend on whether the account exists: it is looked up when the email is rendered
(reset_mails.py). Why: docs/decisions/security.md#emails-for-a-new-password-reveal-no-account.
"""

from django.conf import settings
from django.db import transaction

from auth.models import PasswordReset
from kit.messages.mails.queueing import queue_mail
from kit.safety.throttling.counters import hit
from kit.values import email_address
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches


def request_reset(*, actor_type: str, email: str, client: str) -> None:
    """Queue an email to the account with that address, if there is one.

    actor_type: a known one. client: the caller's network address.
    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises TooManyRequests.
    """
    address = email_address.normalized(email)
    hit(throttle="client_flood", subject=f"reset {client}")
    count_reset_mail(actor_type=actor_type, email=address)
    queue_reset_mail(actor_type=actor_type, email=address)


def count_reset_mail(*, actor_type: str, email: str) -> None:
    """Count an email to that address, whoever asks for it.

    Must not be called inside a transaction (RuntimeError). Raises TooManyRequests.
    """
    hit(throttle="reset", subject=f"{actor_type}:{email}")


@transaction.atomic
def queue_reset_mail(*, actor_type: str, email: str, is_one_of_many: bool = False) -> None:
    """Queue the email, in the caller's transaction if there is one.

    is_one_of_many: send it after all others, so that thousands of such emails do not delay those of orders.
    """
    request = PasswordReset.objects.create(actor_type=actor_type, email=email)
    queue_mail("password_reset", about=request.pk, is_one_of_many=is_one_of_many)


def discard_expired() -> int:
    """Delete old requests, whether or not their email was sent; returns how many."""
    return delete_in_batches(PasswordReset.objects.filter(created_at__lt=now() - settings.RESET_REQUEST_LIFETIME))
