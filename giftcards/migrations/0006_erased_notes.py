"""The note of an entry, a text of staff, can be erased with its person; nothing else of an entry changes."""

from typing import Any

from django.db import migrations

from giftcards import triggers


def install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("giftcards", "0005_order_lines")]

    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
