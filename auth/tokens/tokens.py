"""Tokens: signed claims that name an account, good until they expire or the account's stamp changes.

PyJWT writes and reads them. Beyond what it checks, a token is good only as it was written: this header, this spelling
of the signature, and exactly these claims.
Why: docs/decisions/security.md#a-stamp-ends-tokens-and-sessions,
docs/decisions/security.md#customers-stay-signed-in-for-a-week.
"""

import re
import time
from typing import Any

import jwt
import orjson
from django.conf import settings

from auth.account_types.accounts import Account, Credential
from auth.account_types.actors import resolve
from kit.safety.signed_claims import read, sign

_LONGEST = 255
_TEXTS = ("actor_id", "actor_type", "auth_identity_id", "stamp")
_CLAIMS = {*_TEXTS, "auth_provider", "app_metadata", "user_metadata", "iat", "exp"}
_HEADER, *_ = sign({}).split(".")
_OURS = re.compile(rf"{_HEADER}\.[\w-]+\.[\w-]{{42}}[048AEIMQUYcgkosw]", re.ASCII)  # 32 bytes leave two bits unused


def issue(account: Account) -> str:
    """A new token of the account, good for the lifetime of its actor type's tokens."""
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
        "exp": now + _lifetime(account.actor_type),
    }
    return sign(claims)


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
    if not _OURS.fullmatch(token):
        return None
    try:
        claims = read(token)
        orjson.dumps(claims)  # refuses what no answer could show: half a character, a number of more than 64 bits
    except (jwt.PyJWTError, TypeError, OverflowError):  # PyJWT reads lists and infinity as times without a look
        return None
    is_ours = claims.keys() == _CLAIMS and all(_is_plain(claims[name]) for name in _TEXTS)
    return claims if is_ours and _is_within_lifetime(claims) else None


def _is_plain(claim: Any) -> bool:
    return isinstance(claim, str) and len(claim) <= _LONGEST and claim.isascii() and claim.isprintable()


def _is_within_lifetime(claims: dict[str, Any]) -> bool:
    """Whether it ends within the present lifetime: one that is shortened ends longer tokens issued before."""
    issued, end = claims["iat"], claims["exp"]
    if type(issued) is not int or type(end) is not int:  # PyJWT takes True and 1.5 too
        return False
    return end <= issued + _lifetime(claims["actor_type"])


def _lifetime(actor_type: str) -> int:
    """In seconds."""
    lifetime = settings.CUSTOMER_JWT_LIFETIME if actor_type == "customer" else settings.JWT_LIFETIME
    return int(lifetime.total_seconds())
