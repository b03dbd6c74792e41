"""The session cookie as it comes in."""

import re

from django.conf import settings
from django.contrib.sessions import middleware
from django.http import HttpRequest

_SESSION_ID = re.compile(r"[a-z0-9]{32}")


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's, for cookies that Django can have made.

    It asks the database for whatever a cookie holds, and PostgreSQL fails on a NUL, which a quoted cookie can spell.
    """

    def process_request(self, request: HttpRequest) -> None:
        if not _SESSION_ID.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)
