"""The session middleware."""

import re

from django.conf import settings
from django.contrib.sessions import middleware
from django.http import HttpRequest

_SESSION_ID = re.compile(r"[a-z0-9]{32}")


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's middleware, which ignores cookies that are not session ids.

    Django looks up any cookie in the database, and PostgreSQL fails on a NUL, which a quoted cookie can contain.
    """

    def process_request(self, request: HttpRequest) -> None:
        if not _SESSION_ID.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)
