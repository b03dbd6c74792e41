"""Locking an API key."""

from apikeys.errors import ApiKeyNotFound
from apikeys.models import ApiKey
from kit.database.locking import lock_row


def lock_key(key_id: str) -> ApiKey:
    """The key, locked until the transaction ends. Raises ApiKeyNotFound for an unknown or deleted one.

    Callers check their own permission; the one to view keys is not required.
    """
    key: ApiKey | None = lock_row(ApiKey.objects.not_deleted(), key_id)
    if key is None:
        raise ApiKeyNotFound(key_id)
    return key
