"""Setting a new password with the token from an email."""

from django.contrib.auth.hashers import make_password

from auth.account_types.actors import accounts_of
from auth.errors import InvalidAuthToken
from auth.passwords.password_rules import checked_password
from auth.passwords.reset_tokens import account_of_reset_token
from kit.values import email_address


def update_password(*, actor_type: str, token: str, password: str, email: str | None = None) -> None:
    """Set the password of the token's account. The token, and all older tokens and sessions, become invalid.

    email: the account's email, which some clients send too.
    Raises InvalidAuthToken (not one of ours, used, expired, for another actor type or email), InvalidData (password).
    Why: docs/decisions/security.md#a-stamp-ends-tokens-and-sessions.
    """
    account = account_of_reset_token(token)
    if account is None or account.actor_type != actor_type:
        raise InvalidAuthToken
    if email is not None and email_address.normalized(email) != account.email:
        raise InvalidAuthToken
    hashed = make_password(checked_password(password, email=account.email))
    if not accounts_of(actor_type).change_password(account, hashed=hashed):
        raise InvalidAuthToken
