"""Products say whether they are shipped."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class AddColumn(migrations.AddField):
    """Adds the column in place on SQLite. Django would rebuild the table, which the triggers of other tables prevent."""

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute("ALTER TABLE catalog_product ADD COLUMN requires_shipping bool NOT NULL DEFAULT true")
        else:
            super().database_forwards(app_label, schema_editor, *states)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0023_search_functions")]

    operations = [
        AddColumn("product", "requires_shipping", models.BooleanField(default=True, db_default=True)),
    ]
