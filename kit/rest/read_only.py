"""Plain views that are read and nothing else."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from kit.rest.responses.errors import body

View = Callable[..., HttpResponseBase]


def read_only(view: View) -> View:
    """The view for GET and HEAD; every other method, OPTIONS too, is answered 405."""

    @wraps(view)
    def serve(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            message = f'Method "{request.method}" not allowed.'
            return body(405, "not_allowed", message, headers={"Allow": "GET, HEAD"})
        return view(request, *args, **kwargs)

    return serve
