"""`manage.py deliver_webhooks` as a process, and its work, which the background process of `serve` does, too."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import OperationalError

from kit.messages.webhooks.delivery import working
from kit.messages.webhooks.delivery.working import deliver_until
from kit.messages.webhooks.models import Delivery
from tests.factories import webhooks as make
from tests.kit.messages.webhooks.receiver import Receiver, receiving
from tests.packages import ROOT
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def delivering(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "manage.py", "deliver_webhooks"]
    given = {**environment, "COMMERCE_ENV": "development", "WEBHOOKS_TO_LOCAL_ADDRESSES": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=given) as process:
        try:
            yield process
        finally:
            process.kill()


def test_an_address_that_hangs_delays_no_other_and_sigterm_ends_it(
    receiver: Receiver, process_environment: dict[str, str]
) -> None:
    release = threading.Event()
    with receiving() as hanging:
        hanging.answer = lambda _: release.wait(60) and None
        silent, answering = make.address(hanging.url).address, make.address(receiver.url).address
        make.event("order_1")
        with delivering(process_environment) as process:
            until(lambda: hanging.requests and receiver.requests, seconds=60)
            make.event("order_2")
            until(lambda: Delivery.objects.filter(address=answering, status="delivered").count() == 2, seconds=60)
            assert receiver.about == ["order_1", "order_2"]
            assert not Delivery.objects.filter(address=silent, status="delivered").exists()
            process.send_signal(signal.SIGTERM)
            release.set()
            assert process.wait(timeout=30) == 0


def test_once_delivers_what_is_due_and_ends(receiver: Receiver) -> None:
    make.address(receiver.url)
    make.event("order_1")
    call_command("deliver_webhooks", "--once")
    assert receiver.about == ["order_1"]


def test_a_lost_database_ends_it_and_stops_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(working, "fan_out", refuse)
    stopped = threading.Event()
    with pytest.raises(OperationalError):
        deliver_until(stopped)
    assert not stopped.is_set()
