"""Commands say on one line which variable is wrong, and end with 1; those that need no database do without it."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.architecture.test_settings import STRONG
from tests.packages import ROOT
from tests.ports import free_port

pytestmark = [pytest.mark.every(3), pytest.mark.once]
COMMANDS = (["check", "--deploy"], ["serve"], ["migrate"])
PRODUCTION = {**STRONG, "COMMERCE_ENV": "production", "ALLOWED_HOSTS": "shop.example", "TRUSTED_PROXIES": "1"}
NOT_A_FORMAT = {"ORDER_NUMBER_FORMAT": "W-{nr}"}


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("words", COMMANDS)
def test_a_wrong_value_stops_each_command_by_one_line(process_environment: dict[str, str], words: list[str]) -> None:
    done = run({**process_environment, **PRODUCTION, **NOT_A_FORMAT}, *words)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("ORDER_NUMBER_FORMAT must have {number} as its only placeholder")


def test_a_traceback_can_be_asked_for(process_environment: dict[str, str]) -> None:
    done = run({**process_environment, **NOT_A_FORMAT}, "migrate", "--traceback")
    assert done.stderr.startswith("Traceback (most recent call last):")


@pytest.mark.parametrize("words", COMMANDS)
def test_a_database_that_cannot_be_reached_is_named(process_environment: dict[str, str], words: list[str]) -> None:
    port = free_port()
    given = {"DATABASE_URL": f"postgresql://shop:secret@127.0.0.1:{port}/shop", "DATABASE_SOCKET": ""}
    done = run({**process_environment, **PRODUCTION, **given}, *words)
    assert done.returncode == 1
    message = "The database that DATABASE_URL names cannot be reached: connection "
    (line,) = [line for line in done.stderr.splitlines() if message in line]
    assert line.removeprefix("?: (commerce.E007) ").startswith(message)
    assert "shop:secret" not in done.stderr
    assert "Traceback" not in done.stderr


def test_serve_says_what_a_database_refuses_that_can_be_reached(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "shop.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE django_migrations (other integer)")
    done = run({**process_environment, "DATABASE_URL": f"sqlite:///{file}"}, "serve")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "CommandError: The database does not say which migrations it has: no such column: django_migrations.id"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [["check"], ["makemigrations", "--check", "--dry-run"], ["collectstatic", "--noinput", "--dry-run"]]
)
def test_what_needs_no_database_does_without_one(process_environment: dict[str, str], words: list[str]) -> None:
    port = free_port()
    given = {"DATABASE_URL": f"postgresql://shop@127.0.0.1:{port}/shop", "DATABASE_SOCKET": ""}
    assert run({**process_environment, **given}, *words).returncode == 0
