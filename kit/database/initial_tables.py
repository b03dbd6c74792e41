"""A migration operation that creates several models.

After each CreateModel, Django rebuilds the classes of all related models, which took longer than the rest of migrating
an empty database.
"""

from collections.abc import Iterable
from typing import Any

from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation, OperationCategory


class CreateModels(Operation):
    """Creates several models of one app in one operation. They may refer to each other."""

    category = OperationCategory.ADDITION

    def __init__(self, models: Iterable[CreateModel]) -> None:
        self.models = list(models)

    def state_forwards(self, app_label: str, state: Any) -> None:
        vars(state).pop("apps", None)  # the classes are built once, when the tables are created
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.models)} models"
