import os
import time
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from apikeys import last_used
from apikeys.last_used import PublishableKeyUses, SecretKeyUses, stamp
from apikeys.models import ApiKey
from kit.values.timestamps import now
from tests.factories.apikeys import publishable_key, secret_key

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def key_id() -> str:
    return publishable_key().key.pk


@pytest.fixture
def broken_database(monkeypatch):
    """Stamping fails until the test says otherwise."""

    def refuse(*_):
        raise DatabaseError("database is locked")

    monkeypatch.setattr(last_used, "stamp", refuse)


def last_use(key_id: str):
    return ApiKey.objects.get(pk=key_id).last_used_at


class TestStamp:
    def test_at_most_once_a_minute(self, key_id):
        moment = now()
        tries = [timedelta(0), timedelta(seconds=59), MINUTE, timedelta(seconds=61), 2 * MINUTE]
        assert [stamp(key_id, moment + delay) for delay in tries] == [True, False, True, False, True]
        assert last_use(key_id) == moment + 2 * MINUTE

    def test_a_use_is_no_edit(self, key_id):
        before = ApiKey.objects.get(pk=key_id).updated_at
        stamp(key_id, now() + MINUTE)
        assert ApiKey.objects.get(pk=key_id).updated_at == before


class TestSecretKeys:
    def test_a_use_is_stamped_by_one_statement_and_the_next_ones_by_none(self):
        key_id, uses = secret_key().key.pk, SecretKeyUses()
        with CaptureQueriesContext(connection) as captured:
            for _ in range(5):
                uses.record_use(key_id)
        assert len(captured) == 1
        assert last_use(key_id) is not None

    def test_after_a_minute_it_is_stamped_again(self, monkeypatch):
        key_id, uses = secret_key().key.pk, SecretKeyUses()
        uses.record_use(key_id)
        first = last_use(key_id)
        monkeypatch.setattr(last_used, "now", lambda: first + MINUTE)
        uses.record_use(key_id)
        assert last_use(key_id) == first + MINUTE

    def test_a_database_that_cannot_fails_no_request(self, broken_database):
        SecretKeyUses().record_use(secret_key().key.pk)


class TestPublishableKeys:
    def test_a_use_takes_no_statement(self, key_id):
        uses = PublishableKeyUses()
        with CaptureQueriesContext(connection) as captured:
            uses.record_use(key_id)
        assert len(captured) == 0

    def test_flush_writes_every_key_once(self):
        keys, uses = [publishable_key().key.pk for _ in range(3)], PublishableKeyUses()
        for _ in range(4):
            for key_id in keys:
                uses.record_use(key_id)
        with CaptureQueriesContext(connection) as captured:
            uses.flush()
            uses.flush()
        assert len(captured) == 3
        assert None not in [last_use(key_id) for key_id in keys]

    def test_what_cannot_be_written_is_kept_for_later(self, key_id, broken_database, monkeypatch):
        uses = PublishableKeyUses()
        uses.record_use(key_id)
        with pytest.raises(DatabaseError):
            uses.flush()
        monkeypatch.setattr(last_used, "stamp", stamp)
        uses.flush()
        assert last_use(key_id) is not None

    def test_one_thread_however_many_uses(self, key_id):
        uses = PublishableKeyUses()
        uses.record_use(key_id)
        thread = uses._thread
        uses.record_use(key_id)
        assert uses._thread is thread
        assert thread is not None
        assert thread.daemon

    def test_a_forked_process_starts_a_thread_of_its_own(self, key_id):
        uses = PublishableKeyUses()
        uses.record_use(key_id)
        child = os.fork()
        if not child:
            forgotten = uses._thread is None and uses._pending == {}
            uses.record_use(key_id)
            os._exit(0 if forgotten and uses._thread is not None and uses._thread.is_alive() else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.django_db(transaction=True)
def test_the_thread_writes_survives_a_broken_database_and_leaves_no_connection(key_id, monkeypatch):
    failures = iter([DatabaseError("locked"), RuntimeError("no such host")])
    closed = []

    def stamp_at_the_third_try(*arguments):
        failure = next(failures, None)
        if failure:
            raise failure
        return stamp(*arguments)

    monkeypatch.setattr(last_used, "stamp", stamp_at_the_third_try)
    monkeypatch.setattr(last_used, "connection", Watched(connection, closed))
    PublishableKeyUses(every=timedelta(milliseconds=20)).record_use(key_id)
    deadline = time.monotonic() + 10
    while len(closed) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert last_use(key_id) is not None
    assert len(closed) >= 4


class Watched:
    """The connection of the current thread, which records when it is closed."""

    def __init__(self, connection, closed: list[bool]) -> None:
        self.connection, self.closed = connection, closed

    def close(self) -> None:
        self.connection.close()
        self.closed.append(True)
