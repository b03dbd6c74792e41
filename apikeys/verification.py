"""Looking up keys by token, at every request. Nothing is cached, so that a revocation takes effect immediately."""

import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import QuerySet

from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.tokens import digest, is_token
from kit.database.raw_sql import fetch
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.timestamps import now
from shop.models import Store
from staff.models import User

# A key without channels has the store's default one. Disabled and deleted channels are left out; the key stays valid.
_PUBLISHABLE_SCOPE = f"""
SELECT api_key.id, channel.id
FROM apikeys_apikey AS api_key
LEFT JOIN apikeys_apikey_sales_channels AS link ON link.apikey_id = api_key.id
LEFT JOIN shop_saleschannel AS channel
    ON channel.id = COALESCE(link.saleschannel_id, (SELECT MIN(default_sales_channel_id) FROM shop_store))
    AND channel.deleted_at IS NULL AND NOT channel.is_disabled
WHERE api_key.digest = %s AND api_key.type = '{KeyType.PUBLISHABLE.value}' AND api_key.deleted_at IS NULL
    AND (api_key.revoked_at IS NULL OR api_key.revoked_at > %s)
ORDER BY channel.id
"""  # noqa: S608 - the only inserted word is a constant


@dataclass(frozen=True, slots=True)
class Scope:
    """The channels of a publishable key, ordered by id; none if all of them are disabled."""

    key_id: str
    sales_channel_ids: tuple[str, ...]


def publishable_scope(token: str) -> Scope | None:
    """The scope of the publishable key with that token; None for an unknown, secret, revoked or deleted key.

    A revocation in the future has not happened yet. One statement.
    Why: docs/decisions/security.md#a-publishable-key-bounds-what-a-request-reads.
    """
    if not is_token(token, KeyType.PUBLISHABLE):
        return None
    moment = connection.ops.adapt_datetimefield_value(now())
    rows = fetch(_PUBLISHABLE_SCOPE, (digest(token), moment))
    if not rows:
        return None
    return Scope(rows[0][0], tuple(channel_id for _, channel_id in rows if channel_id is not None))


def default_channels() -> tuple[str, ...]:
    """The store's default sales channel; none while it is disabled. One statement."""
    store = Store.objects.filter(default_sales_channel__deleted_at=None, default_sales_channel__is_disabled=False)
    return tuple(store.values_list("default_sales_channel_id", flat=True)[:1])


def secret_key_owner(token: str) -> tuple[ApiKey, User] | None:
    """The secret key with that token, and the staff user that it acts for.

    Both have only the columns that every request needs; others are read when they are used.
    None for an unknown, publishable, revoked or deleted key, and for a key of an inactive user. One statement.
    Why: docs/decisions/security.md#a-secret-key-acts-for-its-creator.
    """
    if not is_token(token, KeyType.SECRET):
        return None
    wanted = digest(token)
    found = next(iter(_OWNED.read([wanted])), None)
    if found is None or not hmac.compare_digest(found.digest, wanted):
        return None
    if found.revoked_at is not None and found.revoked_at <= now():
        return None
    # from_db takes values in the order of the model's fields.
    key = ApiKey.from_db(connection.alias, ("id", "permissions"), (found.id, found.permissions))
    rights = (bool(found.created_by__is_superuser), found.created_by_id, True)
    return key, User.from_db(connection.alias, ("is_superuser", "id", "is_active"), rights)


class _Owned(NamedTuple):
    id: str
    digest: str
    permissions: list[str] | None
    revoked_at: datetime | None
    created_by_id: str
    created_by__is_superuser: bool


def _of_active_users() -> QuerySet[ApiKey]:
    return ApiKey.objects.not_deleted().filter(type=KeyType.SECRET, created_by__is_active=True)


_OWNED = KeyedRows(_of_active_users, key="digest", row=_Owned, decoded=("permissions", "revoked_at"))
