"""Revoking an API key."""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction

from apikeys.key_lock import lock_key
from apikeys.models import ApiKey
from apikeys.states import LIFE, KeyType
from kit.database.locking import lock_rows
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


@transaction.atomic
def revoke_keys_of(user_ids: Collection[str], *, actor: Actor) -> None:
    """Revoke the secret keys of users who are being deleted, so that none works if such a user is activated again.

    Why: docs/decisions/security.md#a-deleted-user-leaves-no-key.
    """
    keys = lock_rows(ApiKey.objects.active().filter(type=KeyType.SECRET, created_by__in=user_ids))
    moment = now()
    ApiKey.objects.filter(pk__in=[key.pk for key in keys]).update(
        revoked_at=moment, revoked_by=actor.id, updated_at=moment
    )
