"""The token of an invitation as programs send it: a JWT around the secret of the invitation's email.

Medusa's dashboard reads `id`, `email`, `jti`, `iat` and `exp` before it shows the form to accept the invitation.
"""

import time

import jwt

from kit.messages.mails.tokens import token_digest
from kit.safety.signed_claims import read, sign
from staff.errors import InvitationOver
from staff.models import Invitation

_AUDIENCE = "invitation"


def api_token(invitation: Invitation, secret: str) -> str:
    """The token. It ends with the invitation, and with the secret, which the next email replaces."""
    assert invitation.expires_at is not None  # noqa: S101 - its email is queued
    claims = {"aud": _AUDIENCE, "id": invitation.pk, "email": invitation.email, "jti": secret}
    return sign({**claims, "iat": int(time.time()), "exp": int(invitation.expires_at.timestamp())})


def digest_in(token: str) -> str:
    """The digest of the token's secret, by which the invitation is found. Raises InvitationOver."""
    try:
        claims = read(token, audience=_AUDIENCE, options={"require": ["aud", "iat", "exp", "jti"]})
    except (jwt.PyJWTError, UnicodeError):
        raise InvitationOver from None
    return token_digest(claims["jti"])
