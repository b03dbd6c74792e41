"""Sending a mail again."""

from django.db.models import Max

from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import NotAllowed
from commerce.kit.mails.models import Mail
from commerce.kit.mails.queueing import queue_mail
from commerce.kit.mails.states import MailStatus


class MailIsWaiting(NotAllowed):
    """A mail that has not been sent yet cannot be sent again."""

    def __init__(self) -> None:
        super().__init__("The mail has not been sent yet")


def send_again(*, actor: Actor, mail: Mail) -> None:
    """Queue the mail once more, with the next number. Its text and address are found again.

    Raises MailIsWaiting, Forbidden.
    """
    actor.require("mails.add_mail")
    if mail.status == MailStatus.WAITING:
        raise MailIsWaiting
    sendings = Mail.objects.filter(kind=mail.kind, about=mail.about)
    last = sendings.aggregate(last=Max("number"))["last"] or mail.number
    queue_mail(mail.kind, about=mail.about, number=last + 1)
