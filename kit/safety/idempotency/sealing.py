"""Encrypts stored responses: reading one takes the server's secret and the caller's key.

A stolen table therefore reveals nothing. Responses are compressed first: a large cart's response of 3 MB then takes
less than a fifth of that.
"""

import zlib

from cryptography.fernet import InvalidToken, MultiFernet

from kit.errors import Conflict
from kit.safety.sealing import derived_fernet

RESPONSE_SALT = b"commerce.idempotency"
_FAST = 1


def seal(body: bytes, *, key: str) -> bytes:
    """The body, encrypted so that only the Idempotency-Key opens it."""
    return _fernet(key).encrypt(zlib.compress(body, _FAST))


def unseal(sealed: bytes, *, key: str) -> bytes:
    """The body as it was. Raises Conflict where it cannot be read, as without the SECRET_KEY that sealed it."""
    try:
        return zlib.decompress(_fernet(key).decrypt(sealed))
    except (InvalidToken, zlib.error) as error:
        raise Conflict from error


def _fernet(key: str) -> MultiFernet:
    return derived_fernet(salt=RESPONSE_SALT, info=key.encode())
