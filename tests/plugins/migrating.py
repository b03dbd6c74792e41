"""Migrating the test's own database, for tests of migrations that change rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def migrate(app: str, migration: str) -> Apps:
    """The models as that migration leaves them. Without `migrate`'s signals, which create permissions."""
    executor = MigrationExecutor(connection)
    apps: Apps = executor.migrate([(app, migration)]).apps
    return apps


@contextmanager
def migrated_back(app: str, migration: str) -> Iterator[Apps]:
    """The models as that migration leaves them. At the end all migrations are applied again.

    Needs a test that commits.
    """
    try:
        yield migrate(app, migration)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
