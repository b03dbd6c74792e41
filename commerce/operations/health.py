"""Health checks for supervisors and load balancers."""

import threading

from django.db import Error, connection

from commerce.kit.api.answers import StatusSerializer
from commerce.kit.api.endpoint import Endpoint
from commerce.kit.core.database import renew_if_dead
from commerce.kit.core.errors import Unavailable
from commerce.kit.core.json import JSONObject
from commerce.operations.migration_state import pending_migrations

_migrated = threading.Event()  # checked until it is true, which it stays


class Health(Endpoint):
    """For supervisors and load balancers, without credentials."""

    authentication_classes = ()
    accepts_idempotency_key = False
    answers = {"live": StatusSerializer, "ready": StatusSerializer}

    def live(self, request: object) -> JSONObject:
        """Check that the process answers. A supervisor restarts it otherwise."""
        return {"status": "ok"}

    def ready(self, request: object) -> JSONObject:
        """Check that the database answers and has every migration. Send no requests before."""
        try:
            _check()
        except Error as error:
            raise Unavailable("The database cannot be reached") from error
        return {"status": "ok"}


def _check() -> None:
    renew_if_dead()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if _migrated.is_set():
        return
    pending = pending_migrations()
    if pending:
        raise Unavailable(f"Migrations are not applied: {len(pending)}")
    _migrated.set()
