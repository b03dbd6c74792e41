"""Registering as staff: a password becomes an account only together with an invitation.

Why: docs/decisions/security.md#a-registration-of-staff-is-its-token.
"""

import json

from cryptography.fernet import InvalidToken, MultiFernet
from django.contrib.auth.hashers import make_password

from auth.errors import InvalidAuthToken
from auth.passwords.password_rules import checked_password
from kit.safety.sealing import derived_fernet
from kit.safety.throttling.counters import counted
from kit.values import email_address
from staff.errors import InvitationOver, OtherInvitedEmail
from staff.invitation_tokens import digest_in
from staff.invitations import accept, invitation_of
from staff.models import User

REGISTRATION_SALT = b"commerce.auth.staff_registration"
LIFETIME_SECONDS = 3600


def register_staff(*, email: str, password: str, client: str) -> str:
    """The token of a registration, which holds the email and the password's hash; nothing is stored or looked up.

    client: the caller's network address. Every email costs one hash and gets a token.
    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises InvalidData (email, password), TooManyRequests, Unavailable.
    """
    address = email_address.checked(email)
    with counted({"client_flood": f"registration {client}"}):
        hashed = make_password(checked_password(password, email=address))
    return _fernet().encrypt(json.dumps([address, hashed]).encode()).decode()


def accept_invitation(
    *, invite_token: str, registration_token: str, email: str | None = None, first_name: str = "", last_name: str = ""
) -> User:
    """The new user, with the password of that registration.

    email: that of the invitation, which some clients send too.
    Raises InvalidAuthToken for a registration that is not one of ours or has expired, InvitationOver,
    OtherInvitedEmail, InvalidData (names).
    """
    try:
        registered, hashed = json.loads(_fernet().decrypt(registration_token.encode(), ttl=LIFETIME_SECONDS))
    except (InvalidToken, UnicodeError):
        raise InvalidAuthToken from None
    digest = digest_in(invite_token)
    invitation = invitation_of(digest)
    if invitation is None:
        raise InvitationOver
    named = registered if email is None else email_address.normalized(email)
    if registered != invitation.email or named != invitation.email:
        raise OtherInvitedEmail
    return accept(digest=digest, hashed=hashed, first_name=first_name, last_name=last_name)


def _fernet() -> MultiFernet:
    return derived_fernet(salt=REGISTRATION_SALT, info=b"")
