"""Tokens: signed claims that name an account, good until they expire or the account's stamp changes.

Source: behaviour.md 0.8, 5.1.
"""

import time
from typing import Any

import jwt
import orjson
from django.conf import settings

from commerce.auth.accounts import Account, Credential
from commerce.auth.actors import resolve

_ALGORITHM = "HS256"
_LONGEST = 255
_TEXTS = ("actor_id", "actor_type", "auth_identity_id", "stamp")


def issue(account: Account) -> str:
    """A new token of the account, good for settings.JWT_LIFETIME."""
    now = int(time.time())
    actor_id = account.actor.id
    claims = {
        "actor_id": actor_id or "",
        "actor_type": account.actor_type,
        "auth_identity_id": account.identity_id,
        "auth_provider": "emailpass",
        "app_metadata": {f"{account.actor_type}_id": actor_id} if actor_id else {},
        "user_metadata": {},
        "stamp": account.stamp,
        "iat": now,
        "exp": now + int(settings.JWT_LIFETIME.total_seconds()),
    }
    return jwt.encode(claims, settings.JWT_SECRET, algorithm=_ALGORITHM)


def verify(token: str) -> Credential | None:
    """The credential that the token is; None for every token that is not ours, is expired, or names a dead account.

    A token issued before its registration was finished opens the account that has come of it since.
    """
    claims = _claims(token)
    if claims is None:
        return None
    account = resolve(claims["actor_type"], claims["auth_identity_id"], claims["stamp"])
    if account is None or claims["actor_id"] not in ("", account.actor.id):
        return None
    return Credential(account, claims)


def _claims(token: str) -> dict[str, Any] | None:
    try:
        claims: dict[str, Any] = jwt.decode(
            token, settings.JWT_SECRET, algorithms=[_ALGORITHM], options={"require": ["iat", "exp", *_TEXTS]}
        )
        orjson.dumps(claims)  # an answer shows them
    except (jwt.PyJWTError, UnicodeError, orjson.JSONEncodeError):  # the second for text without a UTF-8 form
        return None
    return claims if all(_is_plain(claims[name]) for name in _TEXTS) and _is_timely(claims) else None


def _is_plain(claim: Any) -> bool:
    return isinstance(claim, str) and len(claim) <= _LONGEST and claim.isascii() and claim.isprintable()


def _is_timely(claims: dict[str, Any]) -> bool:
    """Whether the token ends within the lifetime of today; a shortened one ends the longer tokens issued before."""
    issued, end = claims["iat"], claims["exp"]
    if type(issued) is not int or type(end) is not int:  # True and 1.5 are no times of ours
        return False
    return end - issued <= int(settings.JWT_LIFETIME.total_seconds())
