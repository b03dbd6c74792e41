"""Renaming an API key."""

from django.db import transaction

from apikeys.key_lock import lock_key
from apikeys.models import ApiKey
from apikeys.titles import checked_title
from kit.domain.actor import Actor


@transaction.atomic
def rename(*, actor: Actor, key_id: str, title: str) -> ApiKey:
    """Change the title. If it does not differ, updated_at stays too.

    Raises ApiKeyNotFound, InvalidData (title), Forbidden.
    """
    actor.require("apikeys.change_apikey")
    checked_title(title)
    key = lock_key(key_id)
    if key.title != title:
        key.title = title
        key.save(update_fields=["title", "updated_at"])
    return key
