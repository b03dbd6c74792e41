"""The migrations that the database lacks."""

import pkgutil
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def pending_migrations() -> list[str]:
    """The sorted names, like `app.0001_initial`, of migrations that are not applied.

    Compares names only: loading the migrations, as `migrate` does, would cost every web process megabytes.
    Raises django.db.Error if the database cannot be read.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    brought = {
        (app.label, module.name)
        for app in apps.get_app_configs()
        for module in pkgutil.iter_modules([str(Path(app.path) / "migrations")])
    }
    return sorted(f"{app}.{name}" for app, name in brought - applied.keys() if not name.startswith("_"))
