"""Replaces the function that computes search entries: it computes the terms of a product once."""

from typing import Any

from django.db import migrations

from catalog import search


def _install(apps: Any, schema_editor: Any) -> None:
    search.install_functions(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0022_list_existing_groups'),
    ]

    operations = [
        migrations.RunPython(_install, migrations.RunPython.noop),
    ]
