"""Tokens for setting a new password, sent by email: signed, short-lived and valid once.

They contain the account's stamp, which changes with the password. Their audience differs from that of access tokens,
so that neither is accepted in place of the other.
Why: docs/decisions/security.md#a-stamp-ends-tokens-and-sessions.
"""

import time

import jwt
from django.conf import settings

from auth.account_types.accounts import Account
from auth.account_types.actors import resolve
from kit.safety.signed_claims import read, sign

_AUDIENCE = "password-reset"
_CLAIMS = ("actor_type", "auth_identity_id", "stamp")


def issue_reset_token(account: Account) -> str:
    """A token for the account, valid for settings.RESET_LIFETIME.

    Medusa's dashboard reads `entity_id` and `provider` before it shows the form for the new password.
    """
    now = int(time.time())
    claims = {
        "aud": _AUDIENCE,
        "actor_type": account.actor_type,
        "auth_identity_id": account.identity_id,
        "stamp": account.stamp,
        "entity_id": account.email,
        "provider": "emailpass",
        "iat": now,
        "exp": now + int(settings.RESET_LIFETIME.total_seconds()),
    }
    return sign(claims)


def account_of_reset_token(token: str) -> Account | None:
    """The token's account; None if it is not a reset token, was used, or has expired."""
    try:
        claims = read(token, audience=_AUDIENCE, options={"require": ["aud", "iat", "exp", *_CLAIMS]})
    except (jwt.PyJWTError, UnicodeError):
        return None
    actor_type, identity_id, stamp = (claims[name] for name in _CLAIMS)
    return resolve(actor_type, identity_id, stamp)
