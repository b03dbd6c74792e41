"""The row that a verb changes, held."""

from apikeys.errors import ApiKeyNotFound
from apikeys.models import ApiKey
from commerce.core.actor import Actor
from commerce.core.locking import lock_rows
from commerce.core.text import is_storable


def lock_key(actor: Actor, key_id: str) -> ApiKey:
    """The key, locked until the transaction ends. Raises ApiKeyNotFound for one that the actor may not see."""
    found: list[ApiKey] = lock_rows(ApiKey.objects.visible_to(actor).filter(pk=key_id)) if is_storable(key_id) else []
    if not found:
        raise ApiKeyNotFound(key_id)
    return found[0]
