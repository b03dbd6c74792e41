"""Tokens: signed claims that name an account, good until they expire or the account's stamp changes.

PyJWT writes them. What it takes to read any token that there may be is a tenth of a request, more than the account's
look-up, and every request of somebody signed in brings one; so they are read here, and only as PyJWT has written them:
this header, these claims, this signature, letter for letter. Source: behaviour.md 0.8, 5.1.
"""

import hmac
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import jwt
import orjson
from django.conf import settings

from commerce.auth.accounts import Account, Credential
from commerce.auth.actors import resolve

_ALGORITHM = "HS256"
_LONGEST = 255
_TEXTS = ("actor_id", "actor_type", "auth_identity_id", "stamp")
_CLAIMS = {*_TEXTS, "auth_provider", "app_metadata", "user_metadata", "iat", "exp"}
_HEADER, *_ = jwt.encode({}, "k" * 32, algorithm=_ALGORITHM).split(".")


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
    signed, _, signature = token.rpartition(".")
    header, _, payload = signed.partition(".")
    if header != _HEADER or not token.isascii() or not hmac.compare_digest(_signature(signed), signature):
        return None
    try:
        claims: Any = orjson.loads(urlsafe_b64decode(f"{payload}=="))
    except ValueError:  # what an answer could not show either: a number without end, half of a character
        return None
    is_ours = isinstance(claims, dict) and claims.keys() == _CLAIMS
    return claims if is_ours and all(_is_plain(claims[name]) for name in _TEXTS) and _is_timely(claims) else None


def _signature(signed: str) -> str:
    return urlsafe_b64encode(hmac.digest(settings.JWT_SECRET.encode(), signed.encode(), "sha256")).rstrip(b"=").decode()


def _is_plain(claim: Any) -> bool:
    return isinstance(claim, str) and len(claim) <= _LONGEST and claim.isascii() and claim.isprintable()


def _is_timely(claims: dict[str, Any]) -> bool:
    """Whether it is issued, not over, and ends within the lifetime of today, which ends longer ones issued before."""
    issued, end = claims["iat"], claims["exp"]
    if type(issued) is not int or type(end) is not int:  # True and 1.5 are no times of ours
        return False
    return issued <= time.time() < end <= issued + int(settings.JWT_LIFETIME.total_seconds())
