"""The secrets that sign deliveries: stored encrypted, since signing needs them as they are."""

import base64
import secrets

from cryptography.fernet import InvalidToken

from kit.safety.sealing import derived_fernet

SECRET_SALT, _INFO = b"commerce.webhooks", b"signing secret"
_BYTES = 32
PREFIX = "whsec_"


class UnreadableSecret(Exception):
    """The secret was sealed with another SECRET_KEY, which is not among SECRET_KEY_FALLBACKS."""


def new_secret() -> str:
    """`whsec_` and 256 random bits in base64, as Standard Webhooks write it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def seal(secret: str) -> str:
    """The secret, encrypted."""
    return derived_fernet(salt=SECRET_SALT, info=_INFO).encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """The secret as it was. Raises UnreadableSecret."""
    try:
        return derived_fernet(salt=SECRET_SALT, info=_INFO).decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecret from error


def is_readable(sealed: str) -> bool:
    """Whether `unseal` opens it."""
    try:
        unseal(sealed)
    except UnreadableSecret:
        return False
    return True


def is_current(sealed: str) -> bool:
    """Whether the secret was sealed with the present SECRET_KEY."""
    try:
        derived_fernet(salt=SECRET_SALT, info=_INFO, fallbacks=False).decrypt(sealed.encode())
    except InvalidToken:
        return False
    return True
