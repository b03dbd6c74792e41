"""Locking an API key."""

from apikeys.errors import ApiKeyNotFound
from apikeys.models import ApiKey
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.text import is_storable


def lock_key(key_id: str) -> ApiKey:
    """The key, locked until the transaction ends. Raises ApiKeyNotFound for an unknown or deleted one.

    Callers check their own permission; the one to view keys is not required.
    """
    found: list[ApiKey] = lock_rows(ApiKey.objects.not_deleted().filter(pk=key_id)) if is_storable(key_id) else []
    if not found:
        raise ApiKeyNotFound(key_id)
    return found[0]
