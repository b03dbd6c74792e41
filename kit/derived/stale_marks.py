"""Triggers that mark stored figures as stale: they insert (kind, key) into a table of marks.

They read no other table, where they might miss what another transaction has not committed yet, and lock nothing. A mark
is committed together with its change, so that each reader sees both or neither.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kit.database import triggers
from kit.database.triggers import DELETE, INSERT, UPDATE, Trigger, TriggerSet


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

    def trigger_set(self) -> TriggerSet:
        """The triggers of all sources, and of each table."""
        return TriggerSet(self._triggers, parts=tuple(self.sources))

    def _triggers(self, vendor: str, table: str) -> Iterator[Trigger]:
        make = self._on_postgresql if vendor == "postgresql" else self._on_sqlite
        return make(table, self.sources[table])

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
