"""Users and invitations."""

from collections.abc import Callable

from tests.contract.routes.examples import Example
from tests.factories.invitations import invitation
from tests.factories.staff import UserFactory


def _user_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/users/{UserFactory().pk}{suffix}"


def _invite_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/invites/{invitation().pk}{suffix}"


EXAMPLES = {
    "/admin/users": Example(lambda: "/admin/users"),
    "/admin/users/me": Example(lambda: "/admin/users/me"),
    "/admin/users/<str:id>": Example(_user_path(), {"update": {"first_name": "Eve"}}),
    "/admin/users/<str:id>/reset-password": Example(_user_path("/reset-password")),
    "/admin/users/<str:id>/auth-providers": Example(_user_path("/auth-providers")),
    "/admin/invites": Example(lambda: "/admin/invites", {"create": {"email": "bob@example.com"}}),
    "/admin/invites/accept": Example(lambda: "/admin/invites/accept?token=x"),
    "/admin/invites/<str:id>": Example(_invite_path()),
    "/admin/invites/<str:id>/resend": Example(_invite_path("/resend")),
}
