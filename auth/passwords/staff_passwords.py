"""The passwords of other members of staff."""

from django.contrib.admin.models import CHANGE
from django.db import transaction

from auth.passwords.password_reset import count_reset_mail, queue_reset_mail
from kit.domain.actor import Actor
from kit.values.json import JSON
from kit.values.text import is_storable
from staff.delegation import require_rights_of
from staff.errors import UserNotFound
from staff.history import record
from staff.models import User


def count_mail_to(*, actor: Actor, user_id: str) -> None:
    """Count the email to that user, together with those that the user asks for, or strangers do in the user's name.

    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises what `send_reset_mail` does, uncounted, and TooManyRequests.
    """
    count_reset_mail(actor_type="user", email=_managed(actor, user_id).email)


@transaction.atomic
def send_reset_mail(*, actor: Actor, user_id: str) -> None:
    """Send the user the email to set a new password; nobody else gets its token. Call `count_mail_to` before.

    Raises UserNotFound (also for an inactive user, who could not sign in), RightsMissing, Forbidden.
    """
    user = _managed(actor, user_id)
    queue_reset_mail(actor_type="user", email=user.email)
    record(CHANGE, [user], actor=actor, message="Sent an email to set a new password.")


def providers_of(*, actor: Actor, user_id: str) -> list[JSON]:
    """How the user can sign in: by `emailpass`, unless they have no password. Raises UserNotFound, Forbidden."""
    actor.require("staff.view_user")
    return ["emailpass"] if _user(user_id, deleted_at=None).has_usable_password() else []


def _managed(actor: Actor, user_id: str) -> User:
    actor.require("staff.change_user")
    user = _user(user_id, is_active=True)
    require_rights_of(actor, [user])
    return user


def _user(user_id: str, **conditions: object) -> User:
    user = User.objects.filter(pk=user_id, **conditions).first() if is_storable(user_id) else None
    if user is None:
        raise UserNotFound(user_id)
    return user
