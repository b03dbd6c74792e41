"""The system check of the database, and what commands say of one that cannot be reached."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import Error, connection


def check_database(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Nothing works without it."""
    fault = unreachable_database()
    return [checks.Error(fault, id="commerce.E007")] if fault else []


def unreachable_database() -> str:
    """Why the database cannot be reached, on one line that names the variable; empty if it can be."""
    try:
        connection.ensure_connection()
    except Error as error:
        variable = "DATABASE_URL" if settings.DATABASE_POOLER == "none" else "DATABASE_DIRECT_URL"
        reason = " ".join(str(error).split())
        return f"The database that {variable} names cannot be reached: {reason}"
    return ""
