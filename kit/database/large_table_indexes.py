"""Indexes of tables that may be large: on PostgreSQL, migrations build them without blocking writes.

Such a migration needs `atomic = False`.
"""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import AddIndex, RemoveIndex


class AddIndexWhileServing(AddIndexConcurrently):
    """AddIndexConcurrently on PostgreSQL, and AddIndex on SQLite, which cannot build indexes concurrently.

    What an interrupted migration has left, such as an index that is not valid, is dropped first.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.index.name)}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        way = AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
        way.database_backwards(self, app_label, schema_editor, from_state, to_state)


class RemoveIndexWhileServing(RemoveIndexConcurrently):
    """Django's RemoveIndexConcurrently; on SQLite, RemoveIndex."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        way = RemoveIndexConcurrently if schema_editor.connection.vendor == "postgresql" else RemoveIndex
        way.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        way = RemoveIndexConcurrently if schema_editor.connection.vendor == "postgresql" else RemoveIndex
        way.database_backwards(self, app_label, schema_editor, from_state, to_state)
