"""A function of PostgreSQL: what searches for e-mail addresses compare before an @ (commerce/kit/core/search)."""

from typing import Any

from django.db import migrations

from catalog.search.postgresql import FUNCTIONS


def _install(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for function in FUNCTIONS:
            schema_editor.execute(function, None)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0006_stock_laws'),
    ]

    operations = [
        migrations.RunPython(_install, migrations.RunPython.noop),
    ]
