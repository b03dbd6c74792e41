"""Which secrets a backup needs: it has a digest of each, and never the secrets themselves.

A digest is keyed by the secret, which has at least 32 random characters, so it does not help to guess it.
"""

from collections.abc import Mapping, Sequence

from django.conf import settings
from django.utils.crypto import salted_hmac

BACKUP_DIGESTS = "commerce.backup"
VARIABLES = ("SECRET_KEY", "JWT_SECRET")


def digests() -> dict[str, list[str]]:
    """By variable: the digest of the current secret, then those of its fallbacks."""
    return {
        name: [_digest(secret) for secret in (getattr(settings, name), *getattr(settings, f"{name}_FALLBACKS"))]
        for name in VARIABLES
    }


def missing(needed: Mapping[str, Sequence[str]]) -> list[str]:
    """The variables whose secret in the backup is neither the current one nor a fallback."""
    present = digests()
    return [name for name in VARIABLES if needed[name][0] not in present[name]]


def _digest(secret: str) -> str:
    return salted_hmac(BACKUP_DIGESTS, "", secret=secret, algorithm="sha256").hexdigest()
