"""The session middleware."""

import re

from django.conf import settings
from django.contrib.sessions import middleware
from django.http import HttpRequest, HttpResponse

_SESSION_ID = re.compile(r"[a-z0-9]{32}")


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's middleware, which ignores cookies that are not session ids.

    Django looks up any cookie in the database, and PostgreSQL fails on a NUL, which a quoted cookie can contain.
    A read of the store without a cookie has no session: it opens none, and nobody asks for one.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "HTTP_COOKIE" not in request.META and request.method == "GET" and request.path_info.startswith("/store/"):
            return self.get_response(request)  # type: ignore[return-value]  # no layer is a coroutine
        return super().__call__(request)  # type: ignore[return-value]

    def process_request(self, request: HttpRequest) -> None:
        if not _SESSION_ID.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)
