"""Whether the process lives, and whether it can serve: what a supervisor and a load balancer ask."""

import threading
from collections.abc import Callable
from functools import wraps

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse

from commerce.operations.migration_state import pending_migrations

_METHODS = ("GET", "HEAD")
_migrated = threading.Event()  # once true it stays true, so it is asked until then and not again


def _read_only(view: Callable[[HttpRequest], JsonResponse]) -> Callable[[HttpRequest], JsonResponse]:
    @wraps(view)
    def guarded(request: HttpRequest) -> JsonResponse:
        if request.method in _METHODS:
            return view(request)
        refusal = {"type": "not_allowed", "message": f'Method "{request.method}" not allowed.'}
        return JsonResponse(refusal, status=405, headers={"Allow": ", ".join(_METHODS)})

    return guarded


@_read_only
def live(request: HttpRequest) -> JsonResponse:
    """200 whenever the process answers at all; a supervisor restarts it otherwise."""
    return JsonResponse({"status": "ok"})


@_read_only
def ready(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and has every migration, else 503 with the reason: send no requests."""
    try:
        reason = _obstacle()
    except Error:
        reason = "The database cannot be reached"
    if reason:
        return JsonResponse({"status": "unavailable", "reason": reason}, status=503)
    return JsonResponse({"status": "ok"})


def _obstacle() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if _migrated.is_set():
        return None
    pending = pending_migrations()
    if pending:
        return f"Migrations are not applied: {len(pending)}"
    _migrated.set()
    return None
