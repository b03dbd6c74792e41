"""A staff user as the actor that verbs and querysets decide by."""

from commerce.kit.core.actor import Actor
from commerce.staff.models import User


def staff_actor(user: User, *, through: str | None = None) -> Actor:
    """The user with their present permissions; `through` is the secret key they act by. Inactive users may nothing."""
    return Actor(type="user", id=user.pk, through=through, permitted=user.has_perm)
