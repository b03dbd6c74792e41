"""Creating and updating the groups of the roles."""

from collections.abc import Iterator

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from commerce.operations.roles.roles import ROLES
from kit.database.locking import lock_named


@transaction.atomic
def set_up_roles() -> dict[str, tuple[list[str], list[str]]]:
    """Set the permissions of each role's group. Returns the added and removed ones by name, for changed groups.

    Members, other groups and the permissions of single users are not changed. Raises KeyError for a permission that
    migrations have not created.
    """
    lock_named("roles")
    known = dict(_permissions())
    changed = {}
    for name, wanted in ROLES.items():
        group, is_new = Group.objects.get_or_create(name=name)
        held = {_named(permission) for permission in group.permissions.select_related("content_type")}
        added, removed = sorted(wanted - held), sorted(held - wanted)
        group.permissions.add(*(known[one] for one in added))
        group.permissions.remove(*(known[one] for one in removed))
        if is_new or added or removed:
            changed[name] = (added, removed)
    return changed


def _permissions() -> Iterator[tuple[str, Permission]]:
    for permission in Permission.objects.select_related("content_type"):
        yield _named(permission), permission


def _named(permission: Permission) -> str:
    return f"{permission.content_type.app_label}.{permission.codename}"
