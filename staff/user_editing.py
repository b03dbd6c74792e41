"""Users, as programs change and delete them: by the rules of the admin site, and only those within their own rights."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.admin.models import CHANGE, DELETION
from django_otp import devices_for_user

from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.editing.locked_rows import locked, require_deletion
from kit.editing.reporting import Change, report
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.values.text import is_storable
from kit.values.timestamps import now
from staff.delegation import require_rights_of
from staff.errors import OwnAccount
from staff.history import record
from staff.invitations import end_invitations_of
from staff.models import User, new_stamp

REVOKE_KEYS = Wired[Callable[..., None]]("what revokes the keys of deleted users: it takes their ids and the `actor`")


def _put(*, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[User]]:
    """Raises RightsMissing."""
    edits = RowEdits(User, states, actor=actor)
    require_rights_of(actor, edits.rows)
    edited = edits.write()
    changed = [{"changed": {"fields": sorted({name for state in states for name in state.given_values()})}}]
    record(CHANGE, [one.row for one in edited if one.is_changed], actor=actor, message=changed)
    return edited


def _delete(model: type[User], ids: Sequence[str], *, actor: Actor) -> None:
    """Deactivate the users, and end their sessions, passwords, tokens, keys, second factors and open invitations.

    Whoever deletes is locked together with them: of two superusers who delete each other, the second is no longer one.
    Raises NotFound, OwnAccount, RightsMissing, Forbidden.
    """
    require_deletion(actor, model)
    lock_rows(model.objects.filter(pk__in=[key for key in (*ids, actor.id) if key and is_storable(key)]))
    users = locked(model, ids)
    if actor.id in users:
        raise OwnAccount
    require_rights_of(actor, users.values())
    for user in users.values():
        for device in devices_for_user(user, confirmed=None):
            device.delete()
        end_invitations_of(user)
        user.is_active, user.deleted_at, user.stamp = False, now(), new_stamp()
        user.set_unusable_password()
        user.save(update_fields=["is_active", "deleted_at", "stamp", "password", "updated_at"])
    REVOKE_KEYS.get()(users.keys(), actor=actor)
    report(model, Change.DELETED, users.values())
    record(DELETION, [*users.values()], actor=actor)


VERBS = RowVerbs(User, ("first_name", "last_name", "avatar_url", "metadata"), put=_put, delete=_delete)
