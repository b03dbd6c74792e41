"""The passwords of other members of staff."""

from django.contrib.admin.models import CHANGE
from django.db import transaction

from auth.passwords.password_reset import queue_reset_mail
from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.values.json import JSON
from kit.values.text import is_storable
from staff.delegation import require_rights_of
from staff.errors import UserNotFound
from staff.history import record
from staff.models import User


@transaction.atomic
def send_reset_mail(*, actor: Actor, user_id: str) -> None:
    """Send the user the email to set a new password; nobody else gets its token.

    Raises UserNotFound (also for an inactive user, who could not sign in), RightsMissing, Forbidden.
    """
    actor.require("staff.change_user")
    user = lock_row(User.objects.filter(is_active=True), user_id)
    if user is None:
        raise UserNotFound(user_id)
    require_rights_of(actor, [user])
    queue_reset_mail(actor_type="user", email=user.email)
    record(CHANGE, [user], actor=actor, message="Sent an email to set a new password.")


def providers_of(*, actor: Actor, user_id: str) -> list[JSON]:
    """How the user can sign in: by `emailpass`, unless they have no password. Raises UserNotFound, Forbidden."""
    actor.require("staff.view_user")
    user = User.objects.filter(pk=user_id, deleted_at=None).first() if is_storable(user_id) else None
    if user is None:
        raise UserNotFound(user_id)
    return ["emailpass"] if user.has_usable_password() else []
