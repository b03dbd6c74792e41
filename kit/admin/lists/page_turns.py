"""Turning the pages of tables below a form: the button saves the form first, so that no edit is lost.

It needs no script, and the keyboard reaches it.
"""

import re

from django.contrib import messages
from django.http import HttpRequest

TURN = "_turn"
"""The name of the buttons; their values are parameters of the page's URL, such as `variants-page=2`."""
_ASKED = re.compile(r"(?P<table>[a-z_]+)-page=(?P<number>[0-9]{1,9})")


def say_saved(request: HttpRequest) -> None:
    """Say that a turned page has saved changes."""
    if TURN in request.POST:
        messages.success(request, "Your changes were saved.")


def turned_address(request: HttpRequest) -> str | None:
    """Where the pressed button leads, once the form is saved."""
    asked = _ASKED.fullmatch(request.POST.get(TURN, ""))
    if asked is None:
        return None
    query = request.GET.copy()
    query[f"{asked['table']}-page"] = asked["number"]
    return f"{request.path}?{query.urlencode()}#{asked['table']}-heading"
