"""Triggers that mark stored figures as stale: they insert (kind, key) into a table of marks.

They read no other table, where they might miss what another transaction has not committed yet, and lock nothing. A mark
is committed together with its change, so that each reader sees both or neither.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kit.database import triggers
from kit.database.triggers import DELETE, INSERT, UPDATE, Trigger


@dataclass(frozen=True, slots=True)
class Source:
    """A table whose changes make figures stale.

    name: part of the names of its triggers. kind, column: the kind of the mark, and the column with its key. watched:
    the columns whose changes matter. events: the statements that have a trigger.
    """

    name: str
    kind: str
    column: str
    watched: Sequence[str]
    events: Sequence[str] = (INSERT, UPDATE, DELETE)


@dataclass(frozen=True, slots=True)
class Marks:
    """table: of the marks. prefix: of the names of triggers. sources: by table."""

    table: str
    prefix: str
    sources: Mapping[str, Source]

    def install(self, schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
        """Create the triggers of this table for the database's vendor, and replace older ones."""
        triggers.install(schema_editor, self.of(schema_editor.connection.vendor, table))

    def remove(self, schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
        """Drop the triggers of this table."""
        triggers.drop(schema_editor, self.of(schema_editor.connection.vendor, table))

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """The names of the triggers that are missing or disabled."""
        return triggers.missing(connection, self.of_all(connection.vendor))

    def of_all(self, vendor: str) -> list[Trigger]:
        """The triggers of all tables."""
        return [each for table in self.sources for each in self.of(vendor, table)]

    def of(self, vendor: str, table: str) -> list[Trigger]:
        """The triggers of this table."""
        make = self._on_postgresql if vendor == "postgresql" else self._on_sqlite
        return list(make(table, self.sources[table]))

    def _name(self, source: Source, event: str) -> str:
        return f"{self.prefix}_{source.name}_{event.lower()}_is_stale"

    def _marked(self, changes: str) -> str:
        return f"INSERT INTO {self.table} (kind, key) {changes}"

    def _on_postgresql(self, table: str, source: Source) -> Iterator[Trigger]:
        selected, changed = f"SELECT DISTINCT '{source.kind}', each.{source.column} FROM", _changed(source)
        changes = {
            INSERT: f"{selected} added AS each",
            DELETE: f"{selected} removed AS each",
            UPDATE: f"{selected} (SELECT removed.{source.column} FROM {changed} UNION ALL "  # noqa: S608 - names of our own
            f"SELECT added.{source.column} FROM {changed}) AS each",
        }
        for event in source.events:
            yield triggers.on_postgresql(self._name(source, event), table, event, self._marked(changes[event]))

    def _on_sqlite(self, table: str, source: Source) -> Iterator[Trigger]:
        differs = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in source.watched)
        old, new = (f"SELECT '{source.kind}', {row}.{source.column}" for row in ("OLD", "NEW"))
        changes = {INSERT: ("true", new), UPDATE: (differs, f"{old} UNION {new}"), DELETE: ("true", old)}
        for event in source.events:
            condition, change = changes[event]
            name = self._name(source, event)
            yield triggers.on_sqlite(name, table, event, self._marked(change), condition=condition)


def _changed(source: Source) -> str:
    old, new = (", ".join(f"{rows}.{column}" for column in source.watched) for rows in ("removed", "added"))
    return f"removed JOIN added ON added.id = removed.id AND ({old}) IS DISTINCT FROM ({new})"
