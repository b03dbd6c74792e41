"""The actor of a staff user."""

from kit.domain.actor import Actor
from staff.models import User


def staff_actor(user: User, *, through: str | None = None, within: frozenset[str] | None = None) -> Actor:
    """The user with their current permissions.

    through: the id of their secret key, if they act by one. within: the only permissions that count, if the key is
    limited to some.
    """

    def permitted(permission: str) -> bool:
        return (within is None or permission in within) and user.has_perm(permission)

    return Actor(type="user", id=user.pk, through=through, permitted=permitted)
