"""The actor of a staff user."""

from commerce.kit.core.actor import Actor
from commerce.staff.models import User


def staff_actor(user: User, *, through: str | None = None) -> Actor:
    """The user with their current permissions. through: the id of their secret key, if they act by one."""
    return Actor(type="user", id=user.pk, through=through, permitted=user.has_perm)
