"""What a test commits is gone after it, and what migrations put there is as it was: tests may follow in any order.

Django's own way, to empty every table and to save the rows of migrations one by one, takes a second for each such
test. Here only tables whose rows are not those of migrations are emptied, and get those back from a copy.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from django.db import connection, transaction

from catalog.prices.lowest_prices import triggers as lowest_price_triggers
from catalog.stock import stock_triggers
from catalog.stock.lowest_stock import triggers as lowest_stock_triggers
from giftcards import triggers
from orders.common import note_triggers
from orders.invoices import triggers as invoice_triggers
from orders.reports.counts import triggers as count_triggers

_TRIGGERS = (triggers, stock_triggers, note_triggers, count_triggers, invoice_triggers)


class CleanSlate:
    """The database as it is when this is made. name: of its copies of tables; another slate needs another one."""

    def __init__(self, name: str = "migrated") -> None:
        tables = sorted(connection.introspection.django_table_names(only_existing=True, include_views=False))
        self.copies = {table: f"{name}_{table}" for table in tables if _rows(f"SELECT * FROM {table} LIMIT 1")}
        for table, copy in self.copies.items():
            _run(f"DROP TABLE IF EXISTS {copy}", f"CREATE TABLE {copy} AS SELECT * FROM {table}")
        of_ledger, of_stock = triggers._TRIGGERS[connection.vendor], stock_triggers.TRIGGERS[connection.vendor]
        others = (*note_triggers.TRIGGERS[connection.vendor], *invoice_triggers.TRIGGERS[connection.vendor])
        self._guarded = {trigger.table for trigger in (*of_ledger, *of_stock, *others)}
        self._is_superuser = is_superuser()
        self._changed = " UNION ALL ".join(_changed(table, self.copies.get(table)) for table in tables)

    def changed(self) -> list[str]:
        """The tables that hold other rows than then."""
        return [table for (table,) in _rows(self._changed)]

    def wipe(self) -> None:
        """Restore that state, without triggers on PostgreSQL. Those that a test has removed are installed again."""
        changed = self.changed()
        back = (f"INSERT INTO {table} SELECT * FROM {copy}" for table, copy in self.copies.items() if table in changed)
        # Where triggers run, deleting stock or prices marks them as stale.
        marks = (lowest_stock_triggers.TABLE, lowest_price_triggers.TABLE)
        work = [*(f"DELETE FROM {table}" for table in changed), *back, *(f"DELETE FROM {table}" for table in marks)]
        lifted: AbstractContextManager[None] = nullcontext()
        if any(each.missing(connection) for each in _TRIGGERS):
            lifted = _lifted_triggers()
        elif self._is_superuser:
            work.insert(0, "SET LOCAL session_replication_role = replica")  # in which no triggers run
        elif self._guarded.intersection(changed):
            lifted = _lifted_triggers()
        with lifted:
            _run(*work)


@contextmanager
def _lifted_triggers() -> Iterator[None]:
    with connection.schema_editor() as editor:
        for each in _TRIGGERS:
            each.remove(editor)
    yield
    with connection.schema_editor() as editor:
        for each in _TRIGGERS:
            each.install(editor)


def is_superuser() -> bool:
    """Whether the tests may write to PostgreSQL's catalog and do without triggers, as on a cluster of their own."""
    return connection.vendor == "postgresql" and _rows("SELECT current_setting('is_superuser')") == [("on",)]


def _changed(table: str, copy: str | None) -> str:
    """A statement that gives the table's name where it has other rows than the copy, or any without one."""
    now = f"SELECT * FROM {table}"
    if copy is None:
        return f"SELECT '{table}' WHERE EXISTS ({now})"
    then = f"SELECT * FROM {copy}"
    return f"SELECT '{table}' WHERE EXISTS ({now} EXCEPT {then}) OR EXISTS ({then} EXCEPT {now})"


def _rows(statement: str) -> list[tuple[str]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        rows: list[tuple[str]] = cursor.fetchall()
    return rows


def _run(*statements: str) -> None:
    """All of them, or none: what refers to rows that are gone counts at the end."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
