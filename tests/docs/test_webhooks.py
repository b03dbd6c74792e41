"""The page on webhooks: its receiver runs as printed and verifies, and its table names every event."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.messages.outbox.names import EVENT_NAMES
from kit.messages.webhooks.delivery.working import deliver_all
from kit.messages.webhooks.endpoints.rotation import rotate
from kit.messages.webhooks.models import Delivery
from orders.models import Order
from tests.docs.pages import DOCS, examples
from tests.factories import webhooks as make
from tests.packages import ROOT

PAGE = DOCS / "webhooks.md"


def listening_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the receiver does not listen")


@pytest.mark.django_db
def test_the_receiver_takes_what_is_signed_and_refuses_the_rest(settings: Settings) -> None:
    settings.WEBHOOKS_TO_LOCAL_ADDRESSES = True
    (program,) = examples(PAGE, "python")
    port = listening_port()
    made = make.address(f"http://127.0.0.1:{port}/hooks")
    given = {**os.environ, "WEBHOOK_SECRET": made.secret, "PORT": str(port)}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as receiver:
        try:
            wait_for(port)
            event = make.event("order_1")
            deliver_all()
            assert Delivery.objects.get().status == "delivered", Delivery.objects.get().error
            rotate(actor=SYSTEM, address_id=made.address.pk, is_leaked=True)
            make.event("order_2")
            deliver_all()
            refused = Delivery.objects.get(event__about="order_2")
            assert (refused.status, refused.response_status) == ("pending", 401)
        finally:
            receiver.terminate()
            printed, _ = receiver.communicate(timeout=30)
    assert printed == f"{event.event_id} order.placed order_1\n"


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_the_trial_beside_the_demo_ends_with_a_received_order(
    environment: dict[str, str], process_environment: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    settings.WEBHOOKS_TO_LOCAL_ADDRESSES = True
    port = listening_port()
    (receiver,), (trial,) = examples(PAGE, "python"), examples(PAGE, "sh")
    (tmp_path / "receiver.py").write_text(receiver)
    (tmp_path / "docs").symlink_to(DOCS)
    commands = trial.replace(".venv/bin/python", sys.executable).replace("manage.py", f"{ROOT}/manage.py")
    commands = commands.replace("9900", str(port))
    assert "receiver.py &\n" in commands
    given = {**environment, **process_environment, "PORT": str(port)}
    command = ["sh", "-ec", f"{commands}\nwait"]
    shell = subprocess.Popen(
        command, env=given, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert shell.stdout is not None
        assert any("on the admin site" in line for line in shell.stdout)
        wait_for(port)
        deliver_all()
    finally:
        os.killpg(shell.pid, signal.SIGTERM)
        printed, _ = shell.communicate(timeout=30)
    assert f" order.placed {Order.objects.get().pk}\n" in printed


@pytest.mark.once
def test_the_table_names_every_event() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+\.\w+)` \| (.*?) \|", PAGE.read_text(), re.MULTILINE))
    assert rows == dict(EVENT_NAMES.get())
