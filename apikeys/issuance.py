"""Issuing an API key."""

from dataclasses import dataclass, field

from django.db import transaction

from apikeys.errors import OwnKeysOnly, SecretKeyNeedsOwner
from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.titles import checked_title
from apikeys.tokens import columns, new_token
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import InvalidData


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key and its clear token. A secret key's token is not stored, so it can be shown only now."""

    key: ApiKey
    token: str = field(repr=False)


@transaction.atomic
def issue(*, actor: Actor, title: str, type: str, created_by: str | None = None) -> IssuedKey:
    """Create a key with a new random token.

    type: publishable or secret. created_by: the id of a staff user, if the system creates the key; optional for a
    publishable key. A key that a staff user creates is their own.
    Raises InvalidData (title, type), SecretKeyNeedsOwner, OwnKeysOnly, Forbidden. Source: behaviour.md 0.10, 5.3.
    """
    actor.require("apikeys.add_apikey")
    checked_title(title)
    if type not in KeyType.values:
        raise InvalidData(f"Expected: '{', '.join(KeyType.values)}' for field 'type', but got: '{type}'")
    owner = _owner(actor, created_by)
    if owner is None and type == KeyType.SECRET:
        raise SecretKeyNeedsOwner
    token = new_token(KeyType(type))
    key = ApiKey.objects.create(title=title, type=type, created_by_id=owner, **columns(token, KeyType(type)))
    return IssuedKey(key, token)


def _owner(actor: Actor, named: str | None) -> str | None:
    if actor.type == "system":
        return named
    if named not in (None, actor.id):
        raise OwnKeysOnly
    return actor.id
