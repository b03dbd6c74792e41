"""What docs/operators.md runs once `.env` is written: commands of the shop, a backup, the units, changed secrets."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import OPERATORS, examples, section

pytestmark = [pytest.mark.once, pytest.mark.servers("pg_basebackup"), pytest.mark.django_db(transaction=True)]
ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
SECRETS = ("SECRET_KEY", "JWT_SECRET")


class Machine:
    """The guide's directories below another one, where `shop` and `sudo` need no root."""

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
        (recipe,) = examples(OPERATORS, "sh")
        self.run(recipe[: recipe.index("\nEOF\n") + len("\nEOF\n")], install=True)
        text = (folder / "srv/shop/.env").read_text()
        text = re.sub("(?m)^DATABASE_URL=.*", f"DATABASE_URL={environment['DATABASE_URL']}", text)
        self.settings.write_text(text)

    def run(self, script: str, *, install: bool = False) -> str:
        """The lines, in the checkout. install: they make files there."""
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

    def change_secrets(self) -> None:
        """As the guide says: new ones, and the former ones as fallbacks."""
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
    (command,) = re.findall(r"Generate the new one: `(.*)`", section(OPERATORS, "## Changing secrets"))
    return str(command)


def _commands(heading: str) -> list[str]:
    """The lines of that section that begin with `shop `."""
    return re.findall(r"(?m)^shop .*$", section(OPERATORS, heading))


def test_the_guides_commands_run_after_env_is_written(tmp_path: Path, process_environment: dict[str, str]) -> None:
    machine = Machine(tmp_path, process_environment)
    started = _commands("## From an empty machine")
    assert [line.split()[1] for line in started] == [
        *("check", "migrate", "setup_roles", "createsuperuser", "create_api_key")
    ]
    said = machine.run("\n".join(line for line in started if "createsuperuser" not in line))  # it asks a person
    assert "pk_" in said
    machine.run("shop webhooks add https://hooks.shop.example/")
    for line in _unit_commands():
        machine.run(line)
    (backup,) = (tmp_path / "var/backups/shop").glob("shop-*.zip")

    machine.change_secrets()
    assert "1 webhook secrets rewritten" in machine.run("shop reseal")
    check = next(line for line in _commands("## Backups") if "--check" in line)
    assert "can be restored" in machine.run(re.sub(r"/var/\S+\.zip", str(backup), check))


def _unit_commands() -> list[str]:
    """What the units of the timers start, with their environment, as a shell reads it."""
    found = []
    for unit in sorted(UNITS.glob("commerce-*.service")):
        text = unit.read_text()
        (environment,) = re.findall(r"(?m)^Environment=(.*)$", text)
        (command,) = re.findall(r"(?m)^ExecStart=(.*)$", text)
        found.append(f"env {environment} {command.replace('%%', '%')}")
    return found
