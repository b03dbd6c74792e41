"""Claims signed with JWT_SECRET. What one of JWT_SECRET_FALLBACKS has signed is accepted, too."""

from typing import Any

import jwt
from django.conf import settings

_ALGORITHM = "HS256"


def sign(claims: dict[str, Any]) -> str:
    """The claims as a JWT."""
    return jwt.encode(claims, settings.JWT_SECRET, algorithm=_ALGORITHM)


def read(token: str, **options: Any) -> dict[str, Any]:
    """The claims of a token. options: those of jwt.decode. Raises what it raises for a token that is not valid."""
    *former, oldest = settings.JWT_SECRET, *settings.JWT_SECRET_FALLBACKS
    for secret in former:
        try:
            return _decoded(token, secret, options)
        except jwt.InvalidSignatureError:
            continue
    return _decoded(token, oldest, options)


def _decoded(token: str, secret: str, options: dict[str, Any]) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, secret, algorithms=[_ALGORITHM], **options)
    return claims
