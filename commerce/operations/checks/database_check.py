"""The system check of the database, and what commands say of one that cannot be reached."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, Error, connections


def check_database(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Nothing works without it."""
    fault = unreachable_database()
    return [checks.Error(fault, id="commerce.E007")] if fault else []


def check_replicas(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """The shop serves without them."""
    faults = [(number, _fault(alias)) for number, alias in enumerate(settings.REPLICA_ALIASES, start=1)]
    text = "The replica at place {} of DATABASE_REPLICA_URLS cannot be reached, and others are read instead: {}"
    return [checks.Warning(text.format(number, fault), id="commerce.W009") for number, fault in faults if fault]


def unreachable_database() -> str:
    """Why the database cannot be reached, on one line that names the variable; empty if it can be."""
    variable = "DATABASE_URL" if settings.DATABASE_POOLER == "none" else "DATABASE_DIRECT_URL"
    fault = _fault(DEFAULT_DB_ALIAS)
    return fault and f"The database that {variable} names cannot be reached: {fault}"


def _fault(alias: str) -> str:
    try:
        connections[alias].ensure_connection()
    except Error as error:
        return " ".join(str(error).split())
    return ""
