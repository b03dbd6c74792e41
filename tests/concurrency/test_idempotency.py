"""One Idempotency-Key under fire: parallel sendings, a slow first one, a worker killed in the middle."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client

from apikeys.models import ApiKey
from auth.account_types.actors import resolve
from auth.tokens.tokens import issue
from kit.errors import Conflict
from kit.safety.idempotency.models import Record
from kit.safety.idempotency.replay import Answer, run_once
from shop.models import SalesChannel
from tests.concurrency.crowd import at_once
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "one-key-for-all"


def send(work: Callable[[], Answer], *, key: str = KEY) -> Answer:
    return run_once(actor="customer:cus_1", key=key, fingerprint="f" * 64, work=work)


def make_channel() -> Answer:
    channel = SalesChannel.objects.create(name="Made once")
    return Answer(200, channel.pk.encode())


def made() -> int:
    return SalesChannel.objects.filter(name="Made once").count()


def test_twenty_parallel_sendings_do_the_work_once_and_answer_alike() -> None:
    def slow_work() -> Answer:
        answer = make_channel()
        time.sleep(0.1)
        return answer

    answers = at_once(lambda _: send(slow_work), threads=20)
    body = SalesChannel.objects.get(name="Made once").pk.encode()
    assert answers.count(Answer(200, body, replayed=False)) == 1
    assert answers.count(Answer(200, body, replayed=True)) == 19


def test_twenty_parallel_posts_create_one_key_and_show_its_token_to_all() -> None:
    user = UserFactory(is_superuser=True)
    account = resolve("user", user.pk, user.stamp)
    assert account is not None
    headers = {"Authorization": f"Bearer {issue(account)}", "Idempotency-Key": KEY}

    def post(_: int) -> tuple[int, bytes, str | None]:
        body = {"title": "Importer", "type": "secret"}
        answer = Client().post("/admin/api-keys", body, content_type="application/json", headers=headers)
        return answer.status_code, answer.content, answer.headers.get("Idempotent-Replayed")

    answers = at_once(post, threads=20)
    assert len({(status, body) for status, body, _ in answers}) == 1
    assert answers[0][0] == 200
    assert sorted(replayed or "" for _, _, replayed in answers) == ["", *["true"] * 19]
    assert ApiKey.objects.count() == 1


def test_parallel_sendings_after_the_lifetime_do_the_work_once_more() -> None:
    send(make_channel)
    Record.objects.update(created_at="2020-01-01T00:00:00Z")
    SalesChannel.objects.filter(name="Made once").delete()
    answers = at_once(lambda _: send(make_channel), threads=8)
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7
    assert made() == 1


def test_a_refused_first_sending_leaves_the_work_to_exactly_one_of_the_others() -> None:
    refusals = iter([Answer(429, b"")])

    def work() -> Answer:
        make_channel()
        time.sleep(0.05)
        return next(refusals, Answer(200, b"done"))

    answers = at_once(lambda _: send(work), threads=6)
    assert answers.count(Answer(429, b"")) == 1
    assert answers.count(Answer(200, b"done")) == 1
    assert answers.count(Answer(200, b"done", replayed=True)) == 4
    assert made() == 1


def test_while_the_first_sending_runs_longer_than_the_wait_the_second_is_a_conflict() -> None:
    working, finish, outcomes = threading.Event(), threading.Event(), []

    def slow_work() -> Answer:
        answer = make_channel()
        working.set()
        finish.wait()
        return answer

    def first() -> None:
        outcomes.append(send(slow_work))
        connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    try:
        assert working.wait(10)
        with short_wait(), pytest.raises(Conflict):
            send(make_channel)
    finally:
        finish.set()
        thread.join()
    assert [outcome.replayed for outcome in outcomes] == [False]
    assert send(make_channel) == Answer(200, outcomes[0].body, replayed=True)


@pytest.mark.postgresql
def test_another_key_does_not_wait() -> None:
    def work() -> Answer:
        (answer,) = at_once(lambda _: send(make_channel, key="another-key"), threads=1)
        return answer

    assert send(work).status == 200
    assert Record.objects.count() == 2


def test_a_worker_killed_in_the_middle_leaves_no_trace_and_the_retry_does_the_work() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.concurrency.interrupted_work", KEY],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "commerce.settings", "DATABASE_URL": url_of_the_test_database()},
        stdout=subprocess.PIPE,
        text=True,
    )
    with worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "working\n"
        finally:
            worker.kill()
    assert worker.returncode == -9
    answer = send(make_channel)
    assert answer == Answer(200, SalesChannel.objects.get(name="Made once").pk.encode(), replayed=False)
    assert send(make_channel) == Answer(200, answer.body, replayed=True)


def url_of_the_test_database() -> str:
    """DATABASE_URL with the test's own database in the place of the development one."""
    url = urlsplit(os.environ["DATABASE_URL"])
    name = str(connection.settings_dict["NAME"])
    return f"sqlite:///{name}" if connection.vendor == "sqlite" else url._replace(path=f"/{name}").geturl()


@contextmanager
def short_wait() -> Iterator[None]:
    """Waits of this connection end after 100 ms; the next test gets a new connection."""
    setting = "SET lock_timeout = '100ms'" if connection.vendor == "postgresql" else "PRAGMA busy_timeout = 100"
    with connection.cursor() as cursor:
        cursor.execute(setting)
    yield
    connection.close()
