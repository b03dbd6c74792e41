"""Which permissions a user may grant: nobody can gain more than they have, by granting or through another account."""

from collections.abc import Iterable

from django.contrib.auth.models import Group, Permission
from django.db.models import Q, QuerySet

from kit.domain.actor import Actor
from staff.errors import RightsMissing
from staff.models import User


def permissions_of(user: User) -> QuerySet[Permission]:
    """The permissions of the user, including those of groups; all for a superuser. Inactive users keep theirs."""
    if user.is_superuser:
        return Permission.objects.all()
    mine = Permission.objects.filter(Q(user=user) | Q(group__user=user)).values("pk")
    return Permission.objects.filter(pk__in=mine)


def grantable_groups(user: User) -> QuerySet[Group]:
    """The groups without any permission that the user lacks."""
    if user.is_superuser:
        return Group.objects.all()
    beyond = Permission.objects.exclude(pk__in=permissions_of(user).values("pk"))
    return Group.objects.exclude(pk__in=Group.objects.filter(permissions__in=beyond).values("pk"))


def may_manage(manager: User, other: User) -> bool:
    """Whether the other user has no permission that the manager lacks: managing an account gives its permissions."""
    if manager.is_superuser:
        return True
    return (
        not other.is_superuser
        and not permissions_of(other).exclude(pk__in=permissions_of(manager).values("pk")).exists()
    )


def require_rights(actor: Actor, permissions: QuerySet[Permission]) -> None:
    """Raise RightsMissing unless the actor has all of the permissions. A limited key has those of its limit only."""
    named = permissions.order_by().values_list("content_type__app_label", "codename")
    if not all(actor.may(f"{app}.{codename}") for app, codename in named):
        raise RightsMissing


def require_rights_of(actor: Actor, users: Iterable[User]) -> None:
    """Raise RightsMissing unless the actor may manage the users: see `may_manage` and `require_rights`."""
    manager = User.objects.filter(pk=actor.id, is_active=True).first()
    for user in users:
        if manager is None or not may_manage(manager, user):
            raise RightsMissing
        require_rights(actor, permissions_of(user))
