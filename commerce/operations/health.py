"""Whether the process lives, and whether it can serve: what a supervisor and a load balancer ask."""

import threading

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse

from commerce.operations.migration_state import pending_migrations

_migrated = threading.Event()  # once true it stays true, so it is asked until then and not again


def live(request: HttpRequest) -> HttpResponse:
    """200 whenever the process answers at all; a supervisor restarts it otherwise."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> HttpResponse:
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
        return f"{len(pending)} migrations are not applied"
    _migrated.set()
    return None
