"""Whose request it is, on pages that only staff reach."""

from typing import cast

from django.http import HttpRequest

from commerce.staff.models import User


def staff_user(request: HttpRequest) -> User:
    """The member of staff; the admin site has let nobody else in."""
    return cast("User", request.user)
