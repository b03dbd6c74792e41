"""The email that invites a person to become a member of staff."""

from django.conf import settings
from django.urls import reverse

from kit.messages.mails.kinds import RenderedMail
from kit.messages.mails.models import Mail
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values.public_address import absolute
from kit.values.timestamps import now
from staff.invitations import KIND, LIFETIME, is_open
from staff.models import Invitation


def render_invitation_mail(about: str, number: int) -> RenderedMail | None:
    """The email of that invitation; None once it has ended, or a later email replaces this one.

    Stores the token's digest: its lifetime begins now.
    """
    token = mail_token(KIND, about, number)
    invitation = Invitation.objects.filter(is_open(), pk=about).select_related("invited_by").first()
    is_replaced = Mail.objects.filter(kind=KIND, about=about, number__gt=number).exists()
    if invitation is None or is_replaced or not settings.PUBLIC_URL:
        return None
    open_row = Invitation.objects.filter(pk=about, deleted_at=None, user=None)
    if not open_row.update(token_digest=token_digest(token), expires_at=now() + LIFETIME):
        return None
    return RenderedMail(
        recipient=invitation.email,
        template=KIND,
        context={
            "link": absolute(reverse("invitation", args=[token])),
            "inviter": invitation.invited_by.get_full_name(),
            "roles": list(invitation.groups.order_by("name").values_list("name", flat=True)),
            "hours": int(LIFETIME.total_seconds() // 3600),
        },
    )
