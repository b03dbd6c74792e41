"""Migrating the test's own database, for tests of migrations that change rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps.registry import Apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def migrate(app: str, migration: str | None) -> Apps:
    """The models as that migration leaves them; None for before the first.

    Without `migrate`'s signals, which create permissions.
    """
    apps: Apps = _executor(app).migrate([(app, migration)]).apps
    return apps


@contextmanager
def migrated_back(app: str, migration: str | None) -> Iterator[Apps]:
    """The models as that migration leaves them. At the end all migrations are applied again.

    Needs a test that commits, and no rows of apps that depend on what is taken back: their tables are made again.
    """
    try:
        yield migrate(app, migration)
    finally:
        executor = _executor(app)
        executor.migrate(executor.loader.graph.leaf_nodes())


def migrate_by_steps() -> None:
    """Migrate an empty database as it was before migrations were squashed."""
    executor = _executor(None)
    executor.migrate(executor.loader.graph.leaf_nodes())


class _Steps(MigrationLoader):
    """Loads the replaced migrations of one app, or of all, as shops in use have applied them, not the squashed ones."""

    def __init__(self, connection: BaseDatabaseWrapper, app: str | None) -> None:
        self._app = app
        super().__init__(connection)

    def load_disk(self) -> None:
        super().load_disk()
        for migration in self.disk_migrations.values():
            if migration.replaces and self._app in (None, migration.app_label):
                # It does nothing, after these steps.
                vars(migration).update(dependencies=migration.replaces, replaces=[], operations=[])


def _executor(app: str | None) -> MigrationExecutor:
    executor = MigrationExecutor(connection)
    executor.loader = _Steps(connection, app)
    return executor
