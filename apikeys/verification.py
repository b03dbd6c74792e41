"""Looking up keys by token, at every request, so that a revocation takes effect at once.

What a publishable key gave access to the last time is remembered only as a guess, which a statement must confirm.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import QuerySet

from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.tokens import digest, is_token
from commerce.kit.core.assumptions import Assumption
from commerce.kit.core.database import fetch
from commerce.kit.core.timestamps import now
from commerce.kit.projection.keyed_rows import KeyedRows
from commerce.shop.models import Store
from commerce.staff.models import User

# A key without channels has the store's default one. Disabled and deleted channels are left out; the key stays valid.
_KEY_AND_CHANNELS = f"""
FROM apikeys_apikey AS api_key
LEFT JOIN apikeys_apikey_sales_channels AS link ON link.apikey_id = api_key.id
LEFT JOIN shop_saleschannel AS channel
    ON channel.id = COALESCE(link.saleschannel_id, (SELECT MIN(default_sales_channel_id) FROM shop_store))
    AND channel.deleted_at IS NULL AND NOT channel.is_disabled
WHERE api_key.digest = %s AND api_key.type = '{KeyType.PUBLISHABLE.value}' AND api_key.deleted_at IS NULL
    AND (api_key.revoked_at IS NULL OR api_key.revoked_at > %s)
"""  # noqa: S608 - the only inserted word is a constant
_PUBLISHABLE_SCOPE = f"SELECT api_key.id, channel.id {_KEY_AND_CHANNELS} ORDER BY channel.id"
_IN_ONE_TEXT = "MIN(api_key.id) || ' ' || COALESCE(STRING_AGG(channel.id, ' ' ORDER BY channel.id), '')"
_HAS_SCOPE = f"((SELECT {_IN_ONE_TEXT} {_KEY_AND_CHANNELS}) = %s)"
_MOST_REMEMBERED = 1000


@dataclass(frozen=True, slots=True)
class Scope:
    """The channels of a publishable key, ordered by id; none if all of them are disabled."""

    key_id: str
    sales_channel_ids: tuple[str, ...]


def publishable_scope(token: str) -> Scope | None:
    """The scope of the publishable key with that token; None for an unknown, secret, revoked or deleted key.

    A revocation in the future has not happened yet. One statement. Source: behaviour.md 0.7.
    """
    if not is_token(token, KeyType.PUBLISHABLE):
        return None
    moment = connection.ops.adapt_datetimefield_value(now())
    rows = fetch(_PUBLISHABLE_SCOPE, (digest(token), moment))
    if not rows:
        _last_scopes.pop(token, None)
        return None
    scope = Scope(rows[0][0], tuple(channel_id for _, channel_id in rows if channel_id is not None))
    if token in _last_scopes or len(_last_scopes) < _MOST_REMEMBERED:
        _last_scopes[token] = scope
    return scope


_last_scopes: dict[str, Scope] = {}


def last_scope(token: str) -> Scope | None:
    """The scope that the token had the last time, which says nothing about now.

    None on SQLite, where a statement costs no round trip.
    """
    return _last_scopes.get(token) if connection.vendor == "postgresql" else None


def assumption_of(token: str, scope: Scope, *, on_confirmed: Callable[[], None]) -> Assumption:
    """That the publishable key with that token is valid and has exactly this scope."""
    moment = connection.ops.adapt_datetimefield_value(now())
    expected = f"{scope.key_id} {' '.join(scope.sales_channel_ids)}"
    return Assumption(_HAS_SCOPE, (digest(token), moment, expected), on_confirmed)


def default_channels() -> tuple[str, ...]:
    """The store's default sales channel; none while it is disabled. One statement."""
    store = Store.objects.filter(default_sales_channel__deleted_at=None, default_sales_channel__is_disabled=False)
    return tuple(store.values_list("default_sales_channel_id", flat=True)[:1])


def secret_key_owner(token: str) -> tuple[ApiKey, User] | None:
    """The secret key with that token, and the staff user that it acts for.

    Both have only the columns that every request needs; others are read when they are used.
    None for an unknown, publishable, revoked or deleted key, and for a key of an inactive user. One statement.
    Source: behaviour.md 0.10.
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
