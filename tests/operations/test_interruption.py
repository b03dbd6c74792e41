"""Ctrl-C ends a command with a short message and the exit code that shells expect, and nothing is half done."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commerce.shop.models import SalesChannel

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
ROOT = Path(__file__).parents[2]
MORE_THAN_A_PIPE_HOLDS = b" " * 300_000
PATIENCE = 300
SENTENCE = "\nInterrupted. Uncommitted changes were rolled back; you can run the command again.\n"


def test_a_command_that_is_interrupted(process_environment: dict[str, str]) -> None:
    """Once all of the file's beginning is written, the command reads it, and waits for the rest."""
    before = SalesChannel.objects.count()
    command = subprocess.Popen(
        [sys.executable, "manage.py", "load_shop", "-"],
        cwd=ROOT,
        env=process_environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdin is not None
    command.stdin.write(b'{"sales_channels": [{"name": "New"},' + MORE_THAN_A_PIPE_HOLDS)
    command.stdin.flush()
    command.send_signal(signal.SIGINT)
    try:
        command.wait(timeout=PATIENCE)
    finally:
        command.kill()
    assert (command.returncode, command.stderr and command.stderr.read().decode()) == (130, SENTENCE)
    assert SalesChannel.objects.count() == before
