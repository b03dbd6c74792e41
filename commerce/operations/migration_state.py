"""Whether the database has the tables that this code expects."""

import pkgutil
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def pending_migrations() -> list[str]:
    """Names `app.0001_initial` of the migrations that the code brings and the database has not had, sorted.

    Compares names only: loading the migrations, as `migrate` does, would cost every web process megabytes.
    Raises django.db.Error when the database cannot be asked.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    brought = {
        (app.label, module.name)
        for app in apps.get_app_configs()
        for module in pkgutil.iter_modules([str(Path(app.path) / "migrations")])
    }
    return sorted(f"{app}.{name}" for app, name in brought - applied.keys() if not name.startswith("_"))
