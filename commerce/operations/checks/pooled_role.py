"""Behind a pooler no session can be set up, so that the settings of each must be those of the database's role."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import Error
from django.db.utils import ConnectionHandler

from kit.database.sql_names import quoted
from kit.environment.database_environment import session_settings


def statements(config: Mapping[str, Any]) -> list[str]:
    """The ALTER ROLE statements for the role and the database of an entry of DATABASES."""
    role, database = quoted(config["USER"]), quoted(config["NAME"])
    return [f"ALTER ROLE {role} IN DATABASE {database} SET {name} = '{value}';" for name, value in _needed().items()]


def check_pooled_role(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Without lock_timeout, requests would wait for locks without end."""
    config = settings.POOLED_DATABASE
    if not config:
        return []
    try:
        found = _settings_of_session(config)
    except Error as error:
        hint = "Correct DATABASE_URL, or start the pooler."
        return [checks.Error(f"The pooler cannot be reached: {error}", hint=hint, id="commerce.E004")]
    different = [name for name, value in _needed().items() if found[name] != value]
    if not different:
        return []
    text = f"The role of DATABASE_URL has other values for {', '.join(different)}."
    hint = "Run what `manage.py database_role` prints, then renew the pooler's sessions (pgbouncer: RECONNECT)."
    return [checks.Error(text, hint=hint, id="commerce.E005")]


def _needed() -> dict[str, str]:
    return session_settings(
        lock_timeout_ms=settings.LOCK_TIMEOUT_MS, statement_timeout_ms=settings.STATEMENT_TIMEOUT_MS
    )


def _settings_of_session(config: Mapping[str, Any]) -> dict[str, str]:
    """The values that a session of the pooler has, in base units."""
    connection = ConnectionHandler({"default": dict(config)})["default"]
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(_needed())])
            return dict(cursor.fetchall())
    finally:
        connection.close()
