"""The staff user of a request, on pages that only staff can open."""

from typing import cast

from django.http import HttpRequest

from staff.models import User


def staff_user(request: HttpRequest) -> User:
    """The request's user. The admin site admits only staff users."""
    return cast("User", request.user)
