"""Sending an email again."""

from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.messages.mails.kinds import MAIL_KINDS, MustWait
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.states import MailStatus


class MailIsWaiting(NotAllowed):
    """An email is not sent again while it waits to be sent, for the first time or again."""

    message = "The email has not been sent yet"


def can_be_sent(mail: Mail) -> bool:
    """Whether there is still something to send, and somebody to send it to. Costs the statements of rendering it."""
    render = MAIL_KINDS.get().get(mail.kind)
    try:
        return render is not None and render(mail.about, mail.number) is not None
    except MustWait:
        return True


def send_again(*, actor: Actor, mail: Mail) -> None:
    """Queue the email once more, with the next number. Its text and address are found again.

    Of two at once, both with the same number, one email is sent; one that is queued meanwhile for another reason has
    current data as well. Raises MailIsWaiting, Forbidden.
    """
    actor.require("mails.add_mail")
    last = Mail.objects.filter(kind=mail.kind, about=mail.about).order_by("-number").first() or mail
    if last.status == MailStatus.WAITING:
        raise MailIsWaiting
    queue_mail(mail.kind, about=mail.about, number=last.number + 1)
