"""Check constraints of tables that may be large: on PostgreSQL, migrations validate them without blocking writes.

Such a migration needs `atomic = False`.
"""

from typing import Any

from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db.migrations import AddConstraint


class AddConstraintWhileServing(AddConstraintNotValid):
    """AddConstraintNotValid and then ValidateConstraint on PostgreSQL; AddConstraint on SQLite."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            AddConstraint.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        validation = ValidateConstraint(self.model_name, self.constraint.name)
        validation.database_forwards(app_label, schema_editor, from_state, to_state)
