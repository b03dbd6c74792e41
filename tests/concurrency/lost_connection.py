"""A connection that PostgreSQL ends."""

import psycopg
from django.db import connection


def end_this_connection() -> None:
    """What a restart does to it, seen from here."""
    parameters = {**connection.get_connection_params(), "context": None, "cursor_factory": None}
    names = ("dbname", "user", "password", "host", "port")
    with psycopg.connect(**{name: parameters[name] for name in names if parameters.get(name)}) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
