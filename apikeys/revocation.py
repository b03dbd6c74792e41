"""Revoking an API key."""

from datetime import timedelta

from django.db import transaction

from apikeys.key_lock import lock_key
from apikeys.models import ApiKey
from apikeys.states import LIFE
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.timestamps import now

LONGEST_NOTICE = 10 * 366 * 24 * 3600
"""Seconds: a later date would be a mistake, and a much later one cannot be represented."""


@transaction.atomic
def revoke(*, actor: Actor, key_id: str, revoke_in: int = 0) -> ApiKey:
    """Revoke the key now or in `revoke_in` seconds. Until then it works, and the time can be changed.

    Raises ApiKeyNotFound, InvalidData (revoke_in), NotAllowed for a key that is already revoked, Forbidden.
    """
    actor.require("apikeys.change_apikey")
    if revoke_in < 0:
        raise InvalidData("Value for field 'revoke_in' too small, expected at least: '0'")
    if revoke_in > LONGEST_NOTICE:
        raise InvalidData(f"Value for field 'revoke_in' too big, expected at most: '{LONGEST_NOTICE}'")
    key = lock_key(key_id)
    LIFE.check(before=key.state, after="revoked")
    key.revoked_at = now() + timedelta(seconds=revoke_in)
    key.revoked_by_id = actor.id  # type: ignore[assignment]  # None for the system, as the column allows
    key.save(update_fields=["revoked_at", "revoked_by", "updated_at"])
    return key
