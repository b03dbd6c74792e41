"""The rows of a moment, to which hundreds of runs return: far quicker than a clean slate, and only on PostgreSQL."""

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import connection
from django_tasks_db.models import DBTaskResult

from auth.models import AuthIdentity
from carts.models import Promotion, PromotionUsage
from catalog.models import InventoryLevel, Reservation, StaleStock, StockMovement
from customers.models import Customer
from tests.books import statements
from tests.plugins.clean_slate import CleanSlate

_APPS = ("orders", "payments", "giftcards", "outbox", "mails")
_OTHERS = [InventoryLevel, Reservation, StaleStock, StockMovement, Promotion, PromotionUsage, DBTaskResult, LogEntry]
"""What the verbs write beside."""
_OF_PEOPLE = [Customer, AuthIdentity]
"""What only an erasure changes, beside carts, which verbs of drafts change, too."""


class Checkpoint:
    """The database as it is when this is made."""

    def __init__(self) -> None:
        self._slate = CleanSlate("checkpoint")
        self._writer = connection.copy()  # a change of the role discards all plans of its connection
        models = [model for label in _APPS for model in apps.get_app_config(label).get_models()] + _OTHERS
        self._tables = {model._meta.db_table for model in models if not model._meta.proxy}
        of_carts = apps.get_app_config("carts").get_models()
        self._of_people = {model._meta.db_table for model in (*of_carts, *_OF_PEOPLE)}
        violated = (f"EXISTS ({connection.ops.compose_sql(*each)})" for each in statements())
        with connection.cursor() as cursor:
            cursor.execute(f"SET jit = off; PREPARE books_agree AS SELECT NOT ({' OR '.join(violated)})")

    def restore(self, *, with_people: bool) -> None:
        """Triggers do not fire: the rows are consistent as a whole. with_people: also those, and carts."""
        copies, tables = self._slate.copies, self._tables | (self._of_people if with_people else set())
        script = (
            "SET session_replication_role = replica",
            *(f"DELETE FROM {table}" for table in tables),
            *(f"INSERT INTO {table} SELECT * FROM {copies[table]}" for table in tables & copies.keys()),
        )
        with self._writer.cursor() as cursor:
            cursor.execute("; ".join(script))

    def close(self) -> None:
        self._writer.close()

    def changed(self) -> list[str]:
        """The tables that hold other rows than then, also those that are not restored."""
        return self._slate.changed()

    def books_agree(self) -> bool:
        """Whether no invariant is violated. One statement, which is planned once."""
        with connection.cursor() as cursor:
            cursor.execute("EXECUTE books_agree")
            return bool(cursor.fetchone()[0])
