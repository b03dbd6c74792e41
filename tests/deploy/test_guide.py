"""What the operators' guide runs once `.env` is written: the shop's commands, units, changed secrets, a restoration."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.docs.pages import OPERATORS, examples, section
from tests.packages import ROOT
from tests.ports import free_port

pytestmark = [pytest.mark.once, pytest.mark.servers("pg_basebackup"), pytest.mark.django_db(transaction=True)]
UNITS = ROOT / "deploy" / "systemd"
SECRETS = ("SECRET_KEY", "JWT_SECRET")


class Machine:
    """The guide's directories, below a temporary one, where `shop` and `sudo` need no root."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.settings = folder / "var/lib/shop/.env"
        for name in ("srv/shop/.venv/bin", "var/lib/shop", "var/backups/shop", "bin"):
            (folder / name).mkdir(parents=True)
        for name in ("manage.py", "commerce", "deploy"):
            (folder / "srv/shop" / name).symlink_to(ROOT / name)
        self._program("srv/shop/.venv/bin/python", f'exec {sys.executable} "$@"')
        self._program("bin/shop", self._placed((ROOT / "deploy" / "shop").read_text().replace("sudo -u shop ", "")))
        path = f"{folder}/bin:{os.environ['PATH']}"
        unset = ("COMMERCE_ENV", "DATABASE_URL", "ALLOWED_HOSTS", *SECRETS)
        self._environment = {name: value for name, value in environment.items() if name not in unset} | {"PATH": path}
        (recipe,) = examples(OPERATORS / "install.md", "sh")
        self.run(recipe[: recipe.index("\nEOF\n") + len("\nEOF\n")], install=True)
        text = (folder / "srv/shop/.env").read_text()
        text = re.sub("(?m)^DATABASE_URL=.*", f"DATABASE_URL={environment['DATABASE_URL']}", text)
        self.settings.write_text(text)

    def run(self, script: str, *, install: bool = False) -> str:
        """Run the lines in the checkout. install: they create files there."""
        done = subprocess.run(
            ["/bin/sh", "-e"],
            input=script if install else self._placed(script),
            cwd=self.folder / "srv/shop",
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, line: str) -> subprocess.Popen[bytes]:
        """Run the command in the checkout, with a short DRAIN_SECONDS."""
        environment = self._environment | {"DRAIN_SECONDS": "1"}
        return subprocess.Popen(["/bin/sh", "-c", self._placed(line)], cwd=self.folder / "srv/shop", env=environment)

    def change_secrets(self) -> None:
        """Change the secrets as the guide says: new ones, with the former ones as fallbacks."""
        text = self.settings.read_text()
        for name in SECRETS:
            (former,) = re.findall(f"(?m)^{name}=(.*)$", text)
            new = self.run(_generator()).strip()
            text = re.sub(f"(?m)^{name}=.*$", f"{name}={new}", text) + f"{name}_FALLBACKS={former}\n"
        self.settings.write_text(text)

    def _program(self, name: str, line: str) -> None:
        path = self.folder / name
        path.write_text(line if line.startswith("#!") else f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def _placed(self, text: str) -> str:
        return re.sub(r"(?<![\w.])/(srv/shop|var/lib/shop|var/backups/shop)", rf"{self.folder}/\1", text)


def _generator() -> str:
    (command,) = re.findall(r"Generate the new one: `(.*)`", (OPERATORS / "secrets.md").read_text())
    return str(command)


def _commands(text: str) -> list[str]:
    """Its lines that begin with `shop `."""
    return re.findall(r"(?m)^shop .*$", text)


@pytest.fixture
def machine(tmp_path: Path, process_environment: dict[str, str]) -> Machine:
    return Machine(tmp_path, process_environment)


@pytest.fixture
def restored() -> Iterator[str]:
    """The name of a second, empty database."""
    name = f"{connection.settings_dict['NAME']}_restored"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {name}")
        yield name
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_the_guides_commands_run_after_env_is_written(machine: Machine, restored: str) -> None:
    """One test, since each step needs those before it."""
    started = _commands(section(OPERATORS / "install.md", "## From an empty machine"))
    assert [line.split()[1] for line in started] == [
        *("check", "migrate", "setup_roles", "createsuperuser", "create_api_key")
    ]
    said = machine.run("\n".join(line for line in started if "createsuperuser" not in line))  # it asks a person
    assert "pk_" in said
    machine.run("shop webhooks add https://hooks.shop.example/")
    backups = machine.folder / "var/backups/shop"
    (backups / "shop-2026-01-31.zip").touch()
    os.utime(backups / "shop-2026-01-31.zip", (0, 0))
    for line in _unit_commands():
        machine.run(line)
    assert len(list(backups.glob("shop-*.zip"))) == 1, "the old one was to be deleted"

    upgraded = _commands((OPERATORS / "upgrade.md").read_text())
    assert [line.split()[1] for line in upgraded] == ["backup", "migrate"]
    for line in upgraded:
        machine.run(line)
    assert len(list(backups.glob("shop-*-before-upgrade.zip"))) == 1
    machine.run("\n".join(_commands(section(OPERATORS / "daily-work.md", "## Exporting orders"))))
    assert [file.name for file in sorted(machine.settings.parent.glob("*.csv"))] == ["january.csv", "lines.csv"]

    machine.change_secrets()
    assert "1 webhook secrets rewritten" in machine.run("shop reseal")
    restores_a_backup(machine, restored)


def restores_a_backup(machine: Machine, restored: str) -> None:
    """As an ordinary user, who neither stops services nor creates databases."""
    lines = "".join(examples(OPERATORS / "backup.md", "bash")).splitlines()
    lines = [line for line in lines if not line.startswith(("systemctl ", "sudo "))]
    script = (
        "\n".join(lines).replace("/shop$", f"/{connection.settings_dict['NAME']}$").replace("shop_restored", restored)
    )
    said = machine.run(script)
    assert "can be restored" in said
    assert "no problems" in said
    assert f"/{restored}\n" in machine.settings.read_text()


def test_the_unit_starts_a_server_which_the_guide_waits_for_and_a_signal_stops(machine: Machine) -> None:
    """Start the command line of a unit, as systemd does, which then signals only its process (KillMode=mixed)."""
    unit = (UNITS / "commerce@.service").read_text()
    assert "\nKillMode=mixed\n" in unit
    port = str(free_port())
    (patience,) = re.findall(r"(?m)^TimeoutStopSec=(\d+)$", unit)
    server = machine.start(f"exec {_command(unit, 'ExecStart').replace('%i', port)}")
    try:
        pages = "".join(page.read_text() for page in OPERATORS.glob("*.md"))
        waits = set(re.findall(r"(?m)^curl .*:8000/health/ready", pages))
        for line in waits:
            assert '"status":"ok"' in machine.run(line.replace(":8000", f":{port}"))
        assert len(waits) == 1
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=int(patience)) == 0
    finally:
        server.kill()


def _unit_commands() -> list[str]:
    """What the units of the timers start, one after the other."""
    units = [unit.read_text() for unit in sorted(UNITS.glob("commerce-*.service"))]
    keys = ("ExecStart", "ExecStartPost")
    return [_command(unit, key) for unit in units for key in keys if f"\n{key}=" in unit]


def _command(unit: str, key: str) -> str:
    """The line of the unit with this key, with its environment, as a shell reads it."""
    (environment,) = re.findall(r"(?m)^Environment=(.*)$", unit)
    (command,) = re.findall(rf"(?m)^{key}=(.*)$", unit)
    return f"env {environment} {command.replace('%%', '%')}"
