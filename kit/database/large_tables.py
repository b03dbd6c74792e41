"""Indexes, check constraints and columns of tables that may be large: on PostgreSQL, migrations do not block writes.

Such a migration needs `atomic = False`.
"""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddConstraint, AddField, AddIndex, AlterField, RemoveIndex


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


class AddColumnInPlace(AddField):
    """Django's AddField for a column with a db_default, which leaves the table in place on SQLite, too.

    AddField itself rebuilds it there: its triggers are lost.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        BaseDatabaseSchemaEditor.add_field(schema_editor, model, model._meta.get_field(self.name))


class DropNotNullWhileServing(AlterField):
    """Django's AlterField for a column that may now be null, with the foreign key left as it is.

    AlterField itself drops and recreates the key: both tables are locked while all rows are validated, and an
    interrupted migration leaves the table without the key.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        table, column = map(schema_editor.quote_name, (model._meta.db_table, field.column))
        schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN {column} {'DROP' if field.null else 'SET'} NOT NULL")


class ReplaceConstraintWhileServing(AddConstraint):
    """Puts the constraint in the place of that of the same name, if there is one.

    The table is never without one, and a migration that was interrupted, as by a lock that it did not get in time, can
    be run again.
    """

    def state_forwards(self, app_label: str, state: Any) -> None:
        state.remove_constraint(app_label, self.model_name_lower, self.constraint.name)
        super().state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        (constraint,) = (each for each in model._meta.constraints if each.name == self.constraint.name)
        if schema_editor.connection.vendor != "postgresql":
            schema_editor.add_constraint(model, constraint)  # which makes the table anew
            return
        table, name = map(schema_editor.quote_name, (model._meta.db_table, constraint.name))
        with transaction.atomic(using=schema_editor.connection.alias):
            schema_editor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
            schema_editor.execute(f"{constraint.create_sql(model, schema_editor)} NOT VALID", params=None)
        schema_editor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        if any(each.name == self.constraint.name for each in model._meta.constraints):
            self.database_forwards(app_label, schema_editor, from_state, to_state)
        else:
            schema_editor.remove_constraint(model, self.constraint)
