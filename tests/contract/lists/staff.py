"""Lists of users and invitations."""

from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from staff.api.serializers import InviteSerializer, MeSerializer, UserSerializer
from tests.contract.lists.contract import ID_AND_DATES, RECORD, Contract, Filtering, Rows, days_apart
from tests.factories.invitations import invitation
from tests.factories.staff import UserFactory

_USER = "id email first_name last_name avatar_url is_active is_superuser roles"
CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    UserSerializer: Contract(f"{_USER} {RECORD}", "roles"),
    MeSerializer: Contract(f"permissions {_USER} {RECORD}", "permissions roles"),
    InviteSerializer: Contract(f"id email accepted token expires_at roles {RECORD}", "accepted token roles"),
}


def _users() -> Rows:
    return days_apart(
        one=lambda: UserFactory(email="oak@example.com", first_name="Oak", last_name="Tree"),
        other=lambda: UserFactory(first_name="Pine", last_name="Wood"),
        gone=lambda: UserFactory(first_name="Elm", deleted_at=now(), is_active=False),
    )


def _invites() -> Rows:
    return days_apart(
        one=lambda: invitation("oak@example.com"),
        other=lambda: invitation("pine@example.com"),
        gone=lambda: invitation("elm@example.com", deleted_at=now()),
    )


LISTS = {
    "/admin/users": Filtering(
        _users,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "email": "email=OAK@example.com",
            "first_name": "first_name=Oak",
            "last_name": "last_name=Tree",
        },
    ),
    "/admin/invites": Filtering(_invites, {**ID_AND_DATES, "q": "q=oak", "email": "email=OAK@example.com"}),
}
