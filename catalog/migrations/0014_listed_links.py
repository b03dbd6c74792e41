"""The triggers that list products by their links to sales channels, in a transaction of their own.

Writers lock products and links in either order: a transaction that held both tables could deadlock with them.
"""

from typing import Any

from django.db import migrations

from catalog.listings.counts.queries import LINKS
from catalog.listings import triggers


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor, LINKS)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor, LINKS)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0013_listed_products'),
    ]

    operations = [
        migrations.RunPython(_install, _remove),
    ]
