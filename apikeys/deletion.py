"""Deleting an API key."""

from django.db import transaction

from apikeys.key_lock import lock_key
from apikeys.models import ApiKey
from apikeys.states import LIFE
from kit.domain.actor import Actor
from kit.values.timestamps import now


@transaction.atomic
def delete(*, actor: Actor, key_id: str) -> ApiKey:
    """Soft-delete a revoked key; a revocation in the future has not happened yet.

    Raises ApiKeyNotFound, NotAllowed for a key that is not revoked, Forbidden.
    """
    actor.require("apikeys.delete_apikey")
    key = lock_key(key_id)
    LIFE.check(before=key.state, after="deleted")
    key.deleted_at = now()
    key.save(update_fields=["deleted_at", "updated_at"])
    return key
