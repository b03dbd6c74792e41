"""The kinds of emails. Packages above this one implement them, and commerce/wiring.py registers them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from kit.domain.hooks import Wired
from kit.values.json import JSON


class MustWait(Exception):
    """The email is not to be sent yet. until: when to try again."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that an email carries. media_type: such as `application/pdf`."""

    name: str
    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class RenderedMail:
    """What an email says and who gets it.

    recipient: an email address. template: the name of its templates (templates.py). context: their variables, to which
    the machinery adds `shop`. White space in texts becomes single spaces, so that a name cannot begin a new line.
    headers: further ones of the message, such as `List-Unsubscribe`.
    """

    recipient: str
    template: str
    context: Mapping[str, JSON]
    attachments: Sequence[Attachment] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


Renderer = Callable[[str, int], RenderedMail | None]
"""Called with `about` and `number`, in a transaction. Returns None if there is nothing to send any more.

Raises MustWait where something is not ready that the email needs, which is no failed attempt.

It runs at each attempt to send the email, so a token that it makes must be the same each time (tokens.py), or must
leave those of earlier attempts valid: an earlier email may have arrived although the server did not say so.
"""

MAIL_KINDS = Wired[Mapping[str, Renderer]]("the kinds of emails")
"""What renders each kind, by the name that emails store."""

SHOP_NAME = Wired[Callable[[], str]]("the shop's name in emails")
"""The name that emails are sent in."""
