"""Encrypting what is stored: only the server's secret opens it, so a stolen table reveals nothing."""

import base64

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def derived_fernet(*, salt: bytes, info: bytes) -> Fernet:
    """A Fernet with a key derived from SECRET_KEY.

    salt: the purpose, so that no two purposes share a key. info: what else is needed to open it, or a fixed text.
    """
    derivation = HKDF(algorithm=SHA256(), length=32, salt=salt, info=info)
    return Fernet(base64.urlsafe_b64encode(derivation.derive(settings.SECRET_KEY.encode())))
