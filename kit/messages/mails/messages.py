"""From what an email says to the message that is sent."""

from collections.abc import Mapping
from email.utils import formataddr, parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from kit.messages.mails.kinds import SHOP_NAME, RenderedMail
from kit.messages.mails.models import Mail
from kit.messages.mails.templates import engine
from kit.values import email_address
from kit.values.json import JSON

_LONGEST_SUBJECT = 200


def message_of(mail: Mail, rendered: RenderedMail) -> EmailMultiAlternatives:
    """The message. Its Message-ID depends on the email's id alone, so a repeated one can be recognized.

    Raises ValueError for a recipient that is no address, and the templates' own errors.
    """
    if fault := email_address.fault(rendered.recipient):
        raise ValueError(f"The recipient {fault}")
    shop = _one_line(SHOP_NAME.get()())
    context = {"shop": shop, **{name: _plain(value) for name, value in rendered.context.items()}}
    named, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    message = EmailMultiAlternatives(
        subject=_one_line(_text(f"{rendered.template}_subject.txt", context))[:_LONGEST_SUBJECT],
        body=_text(f"{rendered.template}.txt", context).strip() + "\n",
        from_email=formataddr((named or shop, address)),
        to=[rendered.recipient],
        headers={
            "Message-ID": f"<{mail.pk}@{address.rpartition('@')[2] or 'localhost'}>",
            "Auto-Submitted": "auto-generated",
            **rendered.headers,
        },
    )
    message.attach_alternative(engine(escapes=True).render_to_string(f"{rendered.template}.html", context), "text/html")
    for file in rendered.attachments:
        message.attach(file.name, file.content, file.media_type)
    return message


def _text(template: str, context: Mapping[str, JSON]) -> str:
    return engine(escapes=False).render_to_string(template, dict(context))


def _plain(value: JSON) -> JSON:
    """The value with each text on one line."""
    if isinstance(value, str):
        return _one_line(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return {name: _plain(each) for name, each in value.items()} if isinstance(value, dict) else value


def _one_line(text: str) -> str:
    """Without line breaks and other control characters, which have no business in a header or a name."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
