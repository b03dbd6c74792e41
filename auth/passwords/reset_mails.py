"""The email to set a new password."""

from django.conf import settings

from auth.account_types.actors import accounts_of, is_known
from auth.models import PasswordReset
from auth.passwords.reset_tokens import issue_reset_token
from kit.messages.mails import pages
from kit.messages.mails.kinds import RenderedMail


def render_reset_mail(about: str, number: int) -> RenderedMail | None:
    """The email to the account that the request is for; None if there is no such account.

    The token is made here, so that no table contains it, and its lifetime begins now. Each attempt to send the email
    makes one; the first that is used ends the others.
    """
    request = PasswordReset.objects.filter(pk=about).first()
    if request is None or not is_known(request.actor_type):
        return None
    account = accounts_of(request.actor_type).find_by_email(request.email)
    if account is None:
        return None
    token = issue_reset_token(account)
    return RenderedMail(
        recipient=account.email,
        template="password_reset",
        context={
            "link": pages.link(settings.RESET_PAGES.get(account.actor_type, ""), token=token),
            "token": token,
            "minutes": int(settings.RESET_LIFETIME.total_seconds() // 60),
        },
    )
