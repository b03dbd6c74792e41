"""A database that lacks a trigger, as after a restore or manual SQL."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from kit.database.triggers import Trigger


@contextmanager
def dropped(trigger: Trigger) -> Iterator[None]:
    """The trigger is missing meanwhile."""
    of_table = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {trigger.name}{of_table}")
        yield
        cursor.execute(trigger.statement)
