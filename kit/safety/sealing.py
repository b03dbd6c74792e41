"""Encrypting what is stored: only the server's secret opens it, so a stolen table reveals nothing."""

import base64

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def derived_fernet(*, salt: bytes, info: bytes, fallbacks: bool = True) -> MultiFernet:
    """Encrypts with a key derived from SECRET_KEY; decrypts also what one of SECRET_KEY_FALLBACKS has encrypted.

    salt: the purpose, so that no two purposes share a key. info: what else is needed to open it, or a fixed text.
    fallbacks: False to decrypt with SECRET_KEY alone.
    """
    secrets = [settings.SECRET_KEY, *(settings.SECRET_KEY_FALLBACKS if fallbacks else [])]
    return MultiFernet([Fernet(_key(secret, salt, info)) for secret in secrets])


def _key(secret: str, salt: bytes, info: bytes) -> bytes:
    derivation = HKDF(algorithm=SHA256(), length=32, salt=salt, info=info)
    return base64.urlsafe_b64encode(derivation.derive(secret.encode()))
