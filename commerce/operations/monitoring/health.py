"""Health checks for supervisors and load balancers."""

import secrets
import threading
import time

from django.db import Error, connection

from commerce.operations.migration_state import pending_migrations
from commerce.operations.monitoring.queue_ages import LATE_SECONDS, oldest_waiting
from kit.database.raw_sql import renew_if_dead
from kit.database.unwritable import cannot_store, has_full_disk, refused_writes
from kit.errors import Unavailable
from kit.rest.endpoint import Endpoint
from kit.rest.responses.answers import ReadySerializer, StatusSerializer
from kit.safety.throttling.models import Counter
from kit.server.stopping import STOPPING
from kit.values.json import JSONObject

_UNWRITABLE = "The database cannot store anything"
_IS_READ_ONLY = {"postgresql": "SELECT current_setting('transaction_read_only')", "sqlite": "SELECT 1"}
_migrated = threading.Event()  # checked until it is true, which it stays


class Health(Endpoint):
    """For supervisors and load balancers, without credentials."""

    authentication_classes = ()
    accepts_idempotency_key = False
    answers = {"live": StatusSerializer, "ready": ReadySerializer}

    def live(self, request: object) -> JSONObject:
        """Check that the process answers. A supervisor restarts it otherwise."""
        return {"status": "ok"}

    def ready(self, request: object) -> JSONObject:
        """Check that the database answers, can store, and has every migration. Send no requests before.

        A queue is late if its oldest work has been due for a minute. Requests are served nevertheless. A server that
        is about to stop is not ready, and still serves what arrives.
        """
        if STOPPING.is_set():
            raise Unavailable("The server is stopping")
        try:
            _check()
            waiting = oldest_waiting()
        except Error as error:
            if cannot_store(error):
                raise Unavailable(_UNWRITABLE) from error
            raise Unavailable("The database cannot be reached") from error
        queues: JSONObject = {queue: "ok" if seconds < LATE_SECONDS else "late" for queue, seconds in waiting.items()}
        return {"status": "ok", "queues": queues}


def _check() -> None:
    renew_if_dead()
    with connection.cursor() as cursor:
        cursor.execute(_IS_READ_ONLY[connection.vendor])
        if has_full_disk() or cursor.fetchone() == ("on",):
            raise Unavailable(_UNWRITABLE)
    if refused_writes.are_known():
        _store()
    if _migrated.is_set():
        return
    pending = pending_migrations()
    if pending:
        raise Unavailable(f"Migrations are not applied: {len(pending)}")
    _migrated.set()


def _store() -> None:
    """Store a row that `prune` deletes. Raises Error, and Unavailable if it is too early to say that all rows are."""
    stored = {"count": secrets.randbelow(1000), "window_end": int(time.time())}
    Counter.objects.update_or_create(digest="health", defaults=stored)
    refused_writes.note_stored()
    if refused_writes.are_known():
        raise Unavailable(_UNWRITABLE)
