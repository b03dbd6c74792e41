"""An empty database takes one migration for many, and a database in use takes each: both must lead to the same."""

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
