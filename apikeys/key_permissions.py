"""The permissions that a secret key is limited to. A key never has more than its creator has at the time of use."""

from collections.abc import Collection, Iterable

from django.contrib.auth.models import Permission

from apikeys.errors import PermissionNotHeld, PermissionsOfPublishableKey
from apikeys.models import ApiKey
from apikeys.states import KeyType
from kit.domain.actor import Actor
from kit.errors import InvalidData, shown


def checked_permissions(
    names: Collection[str] | None, *, type: KeyType, actor: Actor, creator: Actor
) -> list[str] | None:
    """The permissions of a new key, sorted; None for all that its creator has.

    names: `<app>.<codename>`, or None if not given: a key that is created with a limited key then has the same limit.
    creator: the staff user that the key acts for; actor: the caller, who may be the system.
    Raises PermissionsOfPublishableKey, PermissionNotHeld, InvalidData for an empty list or an unknown permission.
    """
    if names is None:
        return _limit_of(actor) if type == KeyType.SECRET else None
    if type != KeyType.SECRET:
        raise PermissionsOfPublishableKey
    chosen = sorted(set(names))
    if not chosen:
        raise InvalidData("Value for field 'permissions' must not be empty: leave it out for all permissions")
    unknown = unknown_permissions(chosen)
    if unknown:
        raise InvalidData(f"There is no permission '{shown(unknown[0])}', given by field 'permissions'")
    for name in chosen:
        if not creator.may(name):
            raise PermissionNotHeld(name)
    return chosen


def unknown_permissions(names: Iterable[str]) -> list[str]:
    """The names that are not those of a permission."""
    existing = Permission.objects.values_list("content_type__app_label", "codename")
    known = {f"{app}.{codename}" for app, codename in existing}
    return [name for name in names if name not in known]


def _limit_of(actor: Actor) -> list[str] | None:
    """The permissions of the secret key that the actor uses."""
    if actor.type != "user" or actor.through is None:
        return None
    limit: list[str] | None = ApiKey.objects.values_list("permissions", flat=True).get(pk=actor.through)
    return limit
