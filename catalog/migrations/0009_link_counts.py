"""The triggers of links to sales channels, in a transaction of their own.

Writers lock products and links in either order: a transaction that held both tables could deadlock with them.
"""

from typing import Any

from django.db import migrations

from catalog.listings.counts import triggers
from catalog.listings.counts.queries import LINKS


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor, LINKS)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor, LINKS)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0008_product_counts'),
    ]

    operations = [
        migrations.RunPython(_install, _remove),
    ]
