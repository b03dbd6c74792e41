"""Sending SIGINT to a command in the middle of its work, where it waits for a table that the test has locked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping

import psycopg
from django.db import connection

from tests.packages import ROOT

PATIENCE = 300
WAITS = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = %s::regclass"


def interrupted(*words: str, environment: Mapping[str, str], table: str) -> tuple[int, str]:
    """The exit code, and what the command has written to standard error, without progress lines."""
    address = {**connection.get_connection_params(), "dbname": connection.settings_dict["NAME"]}
    with psycopg.connect(**address) as holder:
        holder.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        command = start(*words, environment=environment)
        try:
            deadline = time.monotonic() + PATIENCE
            while not holder.execute(WAITS, [table]).fetchone():
                assert command.poll() is None, command.communicate()
                assert time.monotonic() < deadline
                time.sleep(0.1)
            return interrupt(command)
        finally:
            command.kill()


def start(*words: str, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env={**environment, "LOCK_TIMEOUT_MS": str(PATIENCE * 1000)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def interrupt(command: "subprocess.Popen[str]") -> tuple[int, str]:
    """Send SIGINT; returns the exit code and standard error."""
    os.kill(command.pid, signal.SIGINT)
    _, errors = command.communicate(timeout=PATIENCE)
    return command.returncode, errors
