"""Issuing an API key."""

from collections.abc import Collection
from dataclasses import dataclass, field

from django.db import transaction

from apikeys.errors import OwnKeysOnly, SecretKeyNeedsOwner
from apikeys.key_permissions import checked_permissions
from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.titles import checked_title
from apikeys.tokens import columns, new_token
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.errors import InvalidData
from staff.actors import staff_actor
from staff.models import User


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key and its clear token. A secret key's token is not stored, so it can be shown only now."""

    key: ApiKey
    token: str = field(repr=False)


@transaction.atomic
def issue(
    *,
    actor: Actor,
    title: str,
    type: str,
    created_by: str | None = None,
    permissions: Collection[str] | None = None,
) -> IssuedKey:
    """Create a key with a new random token.

    type: publishable or secret. created_by: the id of a staff user, if the system creates the key; optional for a
    publishable key. A key that a staff user creates is their own.
    permissions: what a secret key is limited to, `<app>.<codename>`; by default all permissions of its creator.
    Raises InvalidData (title, type, permissions), SecretKeyNeedsOwner, OwnKeysOnly, PermissionsOfPublishableKey,
    PermissionNotHeld, Forbidden. Why: docs/decisions/security.md#a-secret-keys-limit-is-a-list-of-names.
    """
    actor.require("apikeys.add_apikey")
    checked_title(title)
    if type not in KeyType.values:
        raise InvalidData(f"Expected: '{', '.join(KeyType.values)}' for field 'type', but got: '{type}'")
    owner = _owner(actor, created_by)
    if type == KeyType.SECRET and not lock_rows(User.objects.filter(pk=owner, deleted_at=None)):
        raise SecretKeyNeedsOwner
    kind = KeyType(type)
    limit = checked_permissions(permissions, type=kind, actor=actor, creator=_creator(actor, owner))
    token = new_token(kind)
    key = ApiKey.objects.create(title=title, type=kind, created_by_id=owner, permissions=limit, **columns(token, kind))
    return IssuedKey(key, token)


def _creator(actor: Actor, owner: str | None) -> Actor:
    """The staff user that the key acts for; the caller, whose own key may be limited, if it is theirs."""
    if actor.type == "system" and owner is not None:
        return staff_actor(User.objects.get(pk=owner))
    return actor


def _owner(actor: Actor, named: str | None) -> str | None:
    if actor.type == "system":
        return named
    if named not in (None, actor.id):
        raise OwnKeysOnly
    return actor.id
