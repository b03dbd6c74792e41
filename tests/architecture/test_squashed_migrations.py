"""An empty database takes one migration for many, and a database in use takes each: both must lead to the same."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db.migrations.loader import MigrationLoader

pytestmark = pytest.mark.once

SQUASHED = sorted(key for key, migration in MigrationLoader(None).disk_migrations.items() if migration.replaces)


def test_there_are_some() -> None:
    assert {app for app, _ in SQUASHED} >= {"carts", "catalog", "giftcards", "orders", "payments", "shop"}


@pytest.mark.parametrize("key", SQUASHED, ids=lambda key: key[0])
def test_the_models_are_those_of_the_migrations_that_it_replaces(key: tuple[str, str]) -> None:
    steps = MigrationLoader(None, replace_migrations=False)
    of_steps = steps.project_state(steps.disk_migrations[key].replaces).models
    of_one = MigrationLoader(None).project_state([key]).models
    names = {model for model in {*of_steps, *of_one} if model[0] == key[0]}
    assert {name: of_one.get(name) for name in names} == {name: of_steps.get(name) for name in names}


SQUASHED_WAY = "from django.core.management import call_command; call_command('migrate', verbosity=0)"
STEP_BY_STEP = f"from tests.plugins.migrating import migrate_by_steps; migrate_by_steps(); {SQUASHED_WAY}"


@pytest.mark.every(6)
def test_both_ways_lead_to_the_same_database(tmp_path: Path) -> None:
    """Triggers, indexes and rows included, whatever code of today the steps call."""
    made = {}
    for name, way in (("squashed", SQUASHED_WAY), ("steps", STEP_BY_STEP)):
        file = tmp_path / f"{name}.sqlite3"
        own = {"DATABASE_URL": f"sqlite:///{file}", "DJANGO_SETTINGS_MODULE": "commerce.settings"}
        environment = {**os.environ, "COMMERCE_ENV": "development", **own}
        code = f"import django; django.setup(); {way}"
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)
        with sqlite3.connect(file) as database:
            made[name] = _described(database)
    assert made["squashed"] == made["steps"]


def _described(database: sqlite3.Connection) -> dict[str, object]:
    """The columns and number of rows of each table, and the SQL of each index and trigger."""
    objects = database.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    found: dict[str, object] = {name: sql for kind, name, sql in objects if kind != "table"}
    for kind, name, _ in objects:
        if kind == "table" and name != "django_migrations":
            columns = database.execute(
                f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{name}')"
            ).fetchall()
            (number,) = database.execute(f"SELECT COUNT(*) FROM {name}").fetchone()
            found[name] = (sorted(columns), number)
    return found
