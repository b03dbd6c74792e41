"""`manage.py send_mails`, as a process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from pytest_django import Settings

from auth.passwords.password_reset import queue_reset_mail
from kit.messages.mails.leases import LEASE
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.values.timestamps import now
from tests.factories.clock import at
from tests.factories.customers import CustomerFactory
from tests.kit.messages.mails.conftest import use_server
from tests.kit.messages.mails.smtp_server import mail_server
from tests.packages import ROOT

PATIENCE = 120


@contextmanager
def worker(environment: dict[str, str], port: int, *words: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "send_mails", *words],
        cwd=ROOT,
        env={**environment, "EMAIL_URL": f"smtp://127.0.0.1:{port}"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def queue(email: str) -> None:
    CustomerFactory(email=email)
    queue_reset_mail(actor_type="customer", email=email)


def test_36_it_outlasts_a_server_that_is_down_sends_within_seconds_and_ends_gracefully(
    process_environment: dict[str, str], port: int
) -> None:
    queue("ann@example.com")
    with worker(process_environment, port) as process:
        warning = next(line for line in process.stderr if "cannot be used" in line)
        assert "The next try is in 1 s." in warning
        with mail_server(port) as server:
            server.wait_for(1, seconds=PATIENCE)
            queue("bob@example.com")
            assert server.wait_for(2) < 30
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
    assert [message["To"] for message in server.accepted] == ["ann@example.com", "bob@example.com"]


def test_killed_between_sending_and_recording_it_is_sent_again_under_the_same_message_id(
    process_environment: dict[str, str], settings: Settings
) -> None:
    queue("ann@example.com")
    with mail_server() as server, worker(process_environment, server.port) as process:

        def kill(_: EmailMessage) -> None:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()

        server.on_message = kill
        server.wait_for(1, seconds=PATIENCE)
        assert process.wait(PATIENCE) == -signal.SIGKILL
        server.on_message = lambda _: None
        assert Mail.objects.get().status == "waiting"
        use_server(settings, server.port)
        assert send_due() == 0  # the claim of the killed process has not ended
        with at(now() + LEASE):
            assert send_due() == 1
            assert send_due() == 0
    first, second = server.accepted
    assert first["Message-ID"] == second["Message-ID"] == f"<{Mail.objects.get().pk}@localhost>"
    assert Mail.objects.get().status == "sent"


def test_once_it_sends_what_is_due_and_says_when_it_cannot(process_environment: dict[str, str], port: int) -> None:
    queue("ann@example.com")
    with worker(process_environment, port, "--once") as process:
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert complaint.splitlines()[-1].startswith("CommandError: The mail server cannot be used: [Errno 111]")
    with mail_server() as server, worker(process_environment, server.port, "--once") as process:
        assert process.wait(PATIENCE) == 0
    assert len(server.accepted) == 1
