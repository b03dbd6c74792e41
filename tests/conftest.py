"""What every test stands on. Passwords are hashed by the production hasher: tests that need many share one."""

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
from django.core.cache import cache
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations

from giftcards import guards

# A shared machine's pauses are no defect, hence no deadline.
hypothesis.settings.register_profile("tests", max_examples=100, deadline=None)
hypothesis.settings.load_profile("tests")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that commits ends by emptying every table; all of them then put back the rows that migrations made.

    It must be all: where one does not, Django makes its content types anew and those of the next test collide.
    """
    for item in items:
        fixtures: list[str] = getattr(item, "fixturenames", [])
        if item.get_closest_marker("django_db") or "transactional_db" in fixtures:
            fixtures.append("django_db_serialized_rollback")


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """What one test caches, no other sees."""
    yield
    cache.clear()


@pytest.fixture
def process_environment(transactional_db: None, database_environment: dict[str, str]) -> dict[str, str]:
    """The environment in which another process works on this test's own database."""
    return database_environment


@pytest.fixture(scope="session")
def database_environment(django_db_setup: None) -> dict[str, str]:
    """The same, for a process that outlives a test."""
    name = str(connection.settings_dict["NAME"])
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    return {**os.environ, "DATABASE_URL": f"sqlite:///{name}" if connection.vendor == "sqlite" else url}


@pytest.fixture(scope="session", autouse=True)
def emptying_lifts_guards(django_db_setup: None) -> Iterator[None]:
    """A test that commits ends by emptying every table, which the ledger's triggers are there to refuse."""
    kind: type[BaseDatabaseOperations] = type(connection.ops)
    empty = kind.execute_sql_flush

    def empty_without_guards(self: BaseDatabaseOperations, statements: Any) -> None:
        with connection.schema_editor() as editor:
            guards.remove(editor)
        empty(self, statements)
        with connection.schema_editor() as editor:
            guards.install(editor)

    kind.execute_sql_flush = empty_without_guards  # type: ignore[method-assign]
    yield
    kind.execute_sql_flush = empty  # type: ignore[method-assign]
