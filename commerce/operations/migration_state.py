"""The migrations of this version, and those that the database lacks."""

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
    return sorted(known_migrations() - applied_migrations())


def known_migrations() -> set[str]:
    """The names of this version's migrations."""
    return {
        f"{app.label}.{module.name}"
        for app in apps.get_app_configs()
        for module in pkgutil.iter_modules([str(Path(app.path) / "migrations")])
        if not module.name.startswith("_")
    }


def applied_migrations() -> set[str]:
    """The names of those that the database has. Raises django.db.Error if it cannot be read."""
    return {".".join(key) for key in MigrationRecorder(connection).applied_migrations()}
