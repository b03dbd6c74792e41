"""What every test stands on. Passwords are hashed by the production hasher, at the least cost that it knows."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
import pytest_django
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import TransactionTestCase
from whitenoise.middleware import WhiteNoiseMiddleware

from apikeys.last_used import publishable_keys
from commerce.admin_site import load_admin_site
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS
from kit.safety.password_hashers import Argon2Hasher
from tests.plugins import samples
from tests.plugins.clean_slate import CleanSlate

# A shared machine's pauses are no defect, hence no deadline.
hypothesis.settings.register_profile("tests", max_examples=100 if samples.number() is None else 50, deadline=None)
hypothesis.settings.load_profile("tests")

MOST_DATABASE_SECONDS = 30
MakeOnce = Callable[[Callable[[], Any]], Any]

load_admin_site()  # tests of screens ask for them before a request has loaded the routes
Argon2Hasher.time_cost, Argon2Hasher.memory_cost, Argon2Hasher.parallelism = 1, 8, 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that commit come first: the longest are among them, and short ones at the end keep all workers busy."""
    items.sort(key=lambda item: not _commits(item))


def pytest_collection_finish() -> None:
    """Leave the collected tests, which stay, out of garbage collections."""
    gc.freeze()


def _commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return "transactional_db" in fixtures or bool(marker and marker.kwargs.get("transaction"))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """A test that commits ends with the database as migrations have left it."""
    with django_db_blocker.unblock():
        slate = CleanSlate()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: slate.wipe())
        yield


@pytest.fixture(scope="session", autouse=True)
def uses_of_keys_stay_in_memory() -> None:
    """The thread that writes them would meet tests' transactions, and at the end neither database nor log."""
    publishable_keys._every = timedelta(days=1)


@pytest.fixture(scope="session", autouse=True)
def pauses_of_the_machine_are_no_refusals() -> Iterator[None]:
    """A request's statements may take far longer than in production: what tests the budget sets its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "REQUEST_DATABASE_TIME", MOST_DATABASE_SECONDS)
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Every client builds the middleware, one of which looks up all static files: longer than most tests take.

    They are those of apps, and those in `static` from the first test that runs `serve`.
    """
    with pytest.MonkeyPatch.context() as patch:
        for search in ("add_files", "add_files_from_finders"):
            patch.setattr(WhiteNoiseMiddleware, search, _once(getattr(WhiteNoiseMiddleware, search)))
        yield


def _once(search: Callable[..., None]) -> Callable[..., None]:
    found = dict[str, Any]()

    def remember(layer: WhiteNoiseMiddleware, *where: Any, **options: Any) -> None:
        if not found:
            search(layer, *where, **options)
            found.update(layer.files)
        layer.files.update(found)

    return remember


@pytest.fixture(scope="module")
def make_once(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[MakeOnce]:
    """Calls what makes rows for all tests of a module, which commit nothing; each of them finds those as they were.

    It gives on what is returned: instances are one for all tests, which must not change them.
    """
    block = ExitStack()
    around = transaction.atomic()
    around._from_testcase = True  # type: ignore[attr-defined]  # as in Django's TestCase: durable blocks may stand in it
    with django_db_blocker.unblock():
        block.enter_context(around)
        block.callback(transaction.set_rollback, True)

    def make(rows: Callable[[], Any]) -> Any:
        with django_db_blocker.unblock():
            made = rows()
            connection.check_constraints()  # else each test would check those of all these rows at its end
            return made

    yield make
    with django_db_blocker.unblock():
        block.close()


@pytest.fixture(autouse=True)
def no_subscriptions() -> None:
    """A test that adds no endpoint reads none, whatever the one before has left; one that adds it reads it."""
    SUBSCRIPTIONS.remember((), seconds=3600)


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
    return {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{name}" if connection.vendor == "sqlite" else url,
        "REQUEST_DATABASE_TIME_MS": str(MOST_DATABASE_SECONDS * 1000),
    }
