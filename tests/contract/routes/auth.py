"""Signing up, in and out."""

from tests.contract.routes.examples import Example

_SIGN_UP = {"email": "a@example.com", "password": "correct horse battery"}


EXAMPLES = {
    "/auth/<actor_type:actor_type>/providers": Example(lambda: "/auth/customer/providers"),
    "/auth/<actor_type:actor_type>/emailpass": Example(
        lambda: "/auth/user/emailpass", {"create": {"email": "a@example.com", "password": "wrong"}}
    ),
    "/auth/<actor_type:actor_type>/emailpass/register": Example(
        lambda: "/auth/customer/emailpass/register", {"create": _SIGN_UP}
    ),
    "/auth/<actor_type:actor_type>/emailpass/reset-password": Example(
        lambda: "/auth/customer/emailpass/reset-password", {"create": {"identifier": "a@example.com"}}
    ),
    "/auth/<actor_type:actor_type>/emailpass/update": Example(
        lambda: "/auth/customer/emailpass/update", {"update": {"password": "correct horse battery"}}
    ),
    "/auth/mfa/factors": Example(lambda: "/auth/mfa/factors"),
    "/cloud/auth": Example(lambda: "/cloud/auth"),
    "/auth/token/refresh": Example(lambda: "/auth/token/refresh"),
    "/auth/session": Example(lambda: "/auth/session"),
}
