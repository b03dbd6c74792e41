"""The triggers that hold the ledger's laws."""

from typing import Any

from django.db import migrations

from giftcards import triggers


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("giftcards", "0001_initial")]
    operations = [migrations.RunPython(_install, _remove)]
