"""What staff see when another transaction holds the row of their form for longer than a request waits."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.http import HttpResponse

from kit.admin.history.conflicts import BUSY
from tests.concurrency.test_idempotency import short_wait
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import history, refusals, reported, superuser

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def held(row: Model) -> Iterator[None]:
    """By a transaction of another connection; on SQLite, that holds the whole database."""
    other = connection.copy()
    with other.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("BEGIN")
            cursor.execute(f"SELECT 1 FROM {row._meta.db_table} WHERE id = %s FOR UPDATE", [row.pk])
        else:
            cursor.execute("BEGIN IMMEDIATE")
        with short_wait():
            yield
        cursor.execute("ROLLBACK")
    other.close()


class Crossing:
    """A transaction of another connection that locks one row, and then one that a waiting transaction holds."""

    def __init__(self, other: Any, first: Model, second: Model) -> None:
        self._other, self._first, self._second = other, first, second

    def hold(self) -> None:
        self._run("BEGIN")
        self._lock(self._first)

    def cross(self) -> None:
        """Lock the second row once its holder waits for the first, which is a deadlock.

        PostgreSQL cancels the session that detects it: the holder, whose deadlock_timeout is the shorter one. The
        holder checks once, so this must wait before that: on a busy machine, it may take a second.
        """
        pid = self._other.connection.info.backend_pid
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
        for _ in range(3000):
            with connection.cursor() as cursor:
                cursor.execute(waiting, [pid])
                if cursor.fetchone() != (0,):
                    break
            time.sleep(0.01)
        self._lock(self._second)
        self._run("ROLLBACK")

    def _lock(self, row: Model) -> None:
        self._run(f"SELECT 1 FROM {row._meta.db_table} WHERE id = %s FOR UPDATE", row.pk)

    def _run(self, statement: str, *values: str) -> None:
        with self._other.cursor() as cursor:
            cursor.execute(statement, values)


def set_timeouts(database: BaseDatabaseWrapper, *, lock: str, deadlock: str) -> None:
    """Set how long its session waits for a lock, and after what time it checks for a deadlock."""
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('lock_timeout', %s, false), set_config('deadlock_timeout', %s, false)", [lock, deadlock]
        )


@contextmanager
def crossing(first: Model, second: Model) -> Iterator[Crossing]:
    other = connection.copy()
    other.ensure_connection()
    set_timeouts(other, lock="60s", deadlock="60s")
    try:
        yield Crossing(other, first, second)
    finally:
        other.close()


@pytest.mark.postgresql
def test_a_form_comes_back_with_what_was_entered_and_can_be_sent_again() -> None:
    product, client = ProductFactory(title="Tea"), superuser()
    page = f"/admin/catalog/product/{product.pk}/change/"
    values = sent(client, page, title="Assam")
    with held(product):
        answer = client.post(page, values)
        assert (refusals(answer), answer.context["adminform"].form["title"].value()) == ([BUSY], "Assam")
    product.refresh_from_db()
    assert (product.title, history()) == ("Tea", [])
    submit(client, page, values)
    product.refresh_from_db()
    assert product.title == "Assam"


@pytest.mark.postgresql
def test_the_form_of_a_screen_that_writes_through_a_verb_comes_back_too() -> None:
    category, client = CategoryFactory(name="Tea"), superuser()
    page = f"/admin/catalog/productcategory/{category.pk}/change/"
    values = sent(client, page, name="Coffee")
    with held(category):
        assert refusals(client.post(page, values)) == [BUSY]
    submit(client, page, values)
    category.refresh_from_db()
    assert category.name == "Coffee"


@pytest.mark.postgresql
@pytest.mark.parametrize("deadlocks", [1, 3])
def test_a_form_that_the_database_chose_as_the_victim_of_a_deadlock_is_sent_again(deadlocks: int) -> None:
    """Three times in all; then it comes back. Its row is locked before what it refers to."""
    product, named, client = ProductFactory(title="Tea"), ProductCollectionFactory(), superuser()
    page = f"/admin/catalog/product/{product.pk}/change/"
    values = sent(client, page, title="Assam", collection=named.pk)

    def post() -> HttpResponse:
        try:
            set_timeouts(connection, lock="60s", deadlock="3s")
            return client.post(page, values)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, crossing(named, product) as deadlock:
        deadlock.hold()
        answer = pool.submit(post)
        for number in range(deadlocks):
            deadlock.cross()
            if number + 1 < deadlocks:
                deadlock.hold()
    product.refresh_from_db()
    if deadlocks < 3:
        assert (answer.result().status_code, product.title, product.collection_id) == (302, "Assam", named.pk)
        assert len(history()) == 1
    else:
        assert (refusals(answer.result()), product.title, history()) == ([BUSY], "Tea", [])


def test_a_deletion_by_a_verb_is_refused_with_a_message() -> None:
    category, client = CategoryFactory(), superuser()
    with held(category):
        answer = client.post(f"/admin/catalog/productcategory/{category.pk}/delete/", {"post": "yes"})
        assert reported(answer) == [BUSY]
    category.refresh_from_db()
    assert category.deleted_at is None


def test_any_other_page_is_a_409() -> None:
    group, client = Group.objects.create(name="Night"), superuser()
    client.raise_request_exception = False
    with held(group):
        answer = client.post(f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"})
    assert (answer.status_code, answer.json()["type"]) == (409, "QueryRunnerAlreadyReleasedError")
    assert Group.objects.filter(pk=group.pk).exists()
